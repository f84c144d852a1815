/** Blanks for what is quoted or commented; names in backticks stay, without the letters that mean something outside. */
const QUOTED =
  /\/\*[\s\S]*?\*\/|(?:--|#)[^\n]*|'''(?:\\[\s\S]|[^\\])*?'''|"""(?:\\[\s\S]|[^\\])*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`/g;

/**
 * SQL with everything in quotes, comments and parentheses blanked out, letter for letter, so that places in the result are places in the
 * text. What is left is the outermost statement.
 */
export function maskNested(sql: string): string {
  const flat = sql.replace(QUOTED, (quoted) =>
    quoted.startsWith('`') ? quoted.replace(/[()]/g, '_') : ' '.repeat(quoted.length)
  );
  let depth = 0;
  return Array.from(flat, (letter) => {
    if (letter === ')') depth = Math.max(0, depth - 1);
    const shown = depth === 0 ? letter : ' '.repeat(letter.length);
    if (letter === '(') depth++;
    return shown;
  }).join('');
}
