/** Whether the text is ASCII, which all stores treat alike. */
export function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- the whole of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text);
}
