/** What is wrong with a service address, in words for the field; undefined when nothing is. */
export function urlProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Write the address of the service, for example http://localhost:8080.';
  const url = parse(text.trim());
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'Begin with http:// or https://.';
  if (url.username || url.password) return 'Leave user and password out; the service takes an access token.';
  if (mendedUrl(text) !== undefined) return 'Leave out /api and what follows: the address of the service is enough.';
  if (url.search || url.hash) return 'Leave out what follows ? or #.';
  return undefined;
}

/**
 * The address of the service in the address of one of its routes (`…/api`, `…/api/endpoints/query/logs.all?project=a`); undefined where
 * there is nothing to leave out.
 */
export function mendedUrl(text: string): string | undefined {
  const url = parse(text.trim());
  const found = url && /^(.*?)\/api(?:\/.*)?$/.exec(url.pathname);
  if (!url || !found || url.username || url.password) return undefined;
  return `${url.origin}${found[1]!.replace(/\/+$/, '')}`;
}

/** Without white space around it and slashes at its end, which mean nothing. */
export function tidyUrl(text: string): string {
  return text.trim().replace(/([^/:])\/+$/, '$1');
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
