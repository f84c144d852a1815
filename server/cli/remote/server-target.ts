/**
 * Address and access token of a running server, checked before the first request: `fetch` gives no reason to act on.
 */
import type { Scope } from '#contract/tokens/token';

/** @returns the URL with a slash at its end. @throws Error with what is wrong */
export function parseServerUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text.endsWith('/') ? text : `${text}/`);
  } catch {
    throw new Error(`"${text}" is no URL. Give one like https://logs.example.com.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new Error('The URL of the server has no user, password, query or fragment.');
  if (!/^https?:$/.test(url.protocol)) throw new Error(`The URL must start with http:// or https://.`);
  return url;
}

/** What a command says that has no access token. */
export function noToken(scope: Scope): string {
  return `No access token. Give --token or set LQE_TOKEN to one with the scope ${scope}; "lqe token create" makes one.`;
}

/** Without the token in the message. @throws Error */
export function ensureToken(token: string): void {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Error('The access token has blanks, line breaks or characters that no token has. Copy it again.');
}
