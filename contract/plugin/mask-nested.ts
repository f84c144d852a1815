/** Quoted text and comments. Names in backticks stay, without the characters that have a meaning outside of quotes. */
const QUOTED =
  /\/\*[\s\S]*?\*\/|(?:--|#)[^\n]*|'''(?:\\[\s\S]|[^\\])*?'''|"""(?:\\[\s\S]|[^\\])*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`/g;

/**
 * Replaces quoted text, comments and parentheses with blanks of the same length, so that offsets stay valid. What
 * remains is the outermost statement.
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
