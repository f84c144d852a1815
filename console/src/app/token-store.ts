/** The token of this tab: in its storage, so that it ends with the tab and is in no address, cookie or file. */
import { tabStorage } from './tab-storage';

const KEY = 'lqe-token';

/**
 * Takes a token out of the fragment (`/#token=…`) before anything else can read the address, and keeps it.
 * @returns the token of this tab, or one that cannot be sent; null: not signed in
 */
export function takeToken(): string | null {
  const { hash, pathname, search } = window.location;
  const given = new URLSearchParams(hash.slice(1)).get('token');
  if (given !== null) {
    window.history.replaceState(null, '', `${pathname}${search}`);
    if (given !== '') keepToken(given);
    if (given !== '' && !isSendable(given)) return given;
  }
  return keptToken();
}

export function keptToken(): string | null {
  return tabStorage.read(KEY);
}

export function keepToken(token: string): void {
  if (isSendable(token)) tabStorage.write(KEY, token);
}

export function forgetToken(): void {
  tabStorage.remove(KEY);
}

/** Whether a browser can send a token in a header: it refuses other characters before it asks the service. */
export function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
