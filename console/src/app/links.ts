/** Addresses of the console's pages. Each state that a person may want to share is in its address; the token never is. */
export const QUERIES = '/console/queries';
export const SOURCES = '/console/sources';
export const STATUS = '/console/status';

/** @param state parameters and texts; empty ones are left out */
export function queryLink(name: string, state: Readonly<Record<string, string>> = {}): string {
  return withState(`${QUERIES}/${encodeURIComponent(name)}`, state);
}

export function withState(path: string, state: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== '')).toString();
  return search === '' ? path : `${path}?${search}`;
}
