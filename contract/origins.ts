/** Origins of web pages as browsers send them: scheme, host and port, nothing else. */

/** @returns the origins of a list separated by commas; null when one of them is not written as a browser writes it. */
export function parseOrigins(text: string): readonly string[] | null {
  const origins = text.split(',').map((part) => part.trim());
  return origins.every(isOrigin) ? origins : null;
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  // A browser never sends the star, and whoever writes it means every site.
  return url.origin === text && !url.hostname.includes('*');
}
