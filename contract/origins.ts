/** Origins of web pages in the form that browsers send: scheme, host and port. */

/** @returns the origins of a comma-separated list; null when one of them is not in the form that browsers send */
export function parseOrigins(text: string): readonly string[] | null {
  const origins = text.split(',').map((part) => part.trim());
  return origins.every(isOrigin) ? origins : null;
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  // Browsers never send a `*`; an operator who writes one means every site.
  return url.origin === text && !url.hostname.includes('*');
}
