/** Error message for a service URL; undefined if it is valid. */
export function urlProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Write the address of the service, for example http://localhost:8080.';
  const url = parse(text.trim());
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'Begin with http:// or https://.';
  if (url.username || url.password) return 'Leave user and password out; the service takes an access token.';
  if (mendedUrl(text) !== undefined) {
    const begin = PAGE.exec(url.pathname)?.[2] ?? '#';
    return `Leave out ${begin} and what follows: the address of the service is enough.`;
  }
  if (url.search || url.hash) return 'Leave out what follows ? or #.';
  return undefined;
}

/** The path of a route, or of a page of the console. */
const PAGE = /^(.*?)(\/api|\/console)(?=\/|$)/;

/**
 * Base URL of the service when the URL of one of its routes or pages is given (`…/api`,
 * `…/api/endpoints/query/logs.all?project=a`, `…/console/queries`, `…/#token=…`); undefined if there is nothing to
 * remove.
 */
export function mendedUrl(text: string): string | undefined {
  const url = parse(text.trim());
  if (!url || url.username || url.password) return undefined;
  const base = PAGE.exec(url.pathname)?.[1] ?? (url.hash.startsWith('#token=') ? url.pathname : undefined);
  return base === undefined ? undefined : `${url.origin}${base.replace(/\/+$/, '')}`;
}

/** Removes surrounding white space and trailing slashes. */
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
