/**
 * SQL with everything in quotes, comments and parentheses blanked out, letter for letter, so that places in the result are places in the
 * text. What is left is the outermost statement.
 */
export function maskNested(sql: string): string {
  const flat = sql.replace(/\/\*[\s\S]*?\*\/|(?:--|#)[^\n]*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, (quoted) =>
    ' '.repeat(quoted.length)
  );
  let depth = 0;
  return Array.from(flat, (letter) => {
    if (letter === ')') depth = Math.max(0, depth - 1);
    const shown = depth === 0 ? letter : ' '.repeat(letter.length);
    if (letter === '(') depth++;
    return shown;
  }).join('');
}
