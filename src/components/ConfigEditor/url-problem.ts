/** What is wrong with a service address, in words for the field; undefined when nothing is. */
export function urlProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Write the address of the service, for example http://localhost:8080.';
  const url = parse(text.trim());
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'Begin with http:// or https://.';
  if (url.username || url.password) return 'Leave user and password out; the service takes an access token.';
  if (url.search || url.hash) return 'Leave out what follows ? or #.';
  if (/\/api(\/|$)/.test(url.pathname)) return 'Leave out /api and what follows: the address of the service is enough.';
  return undefined;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
