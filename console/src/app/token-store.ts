/** The token of this tab: in `sessionStorage`, so that it ends with the tab and is in no address, cookie or file. */
const KEY = 'lqe-token';

/**
 * Takes a token out of the fragment (`/#token=…`) before anything else can read the address, and keeps it.
 * @returns the token of this tab; null: not signed in
 */
export function takeToken(): string | null {
  const { hash, pathname, search } = window.location;
  const given = new URLSearchParams(hash.slice(1)).get('token');
  if (given !== null) {
    window.history.replaceState(null, '', `${pathname}${search}`);
    if (given !== '') keepToken(given);
  }
  return keptToken();
}

export function keptToken(): string | null {
  return sessionStorage.getItem(KEY);
}

export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}
