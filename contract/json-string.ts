/** Decodes a JSON string with its quotes. @throws SyntaxError for any other JSON */
export function parseJsonString(text: string): string {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'string') return value;
  throw new SyntaxError('The JSON is not a string.');
}
