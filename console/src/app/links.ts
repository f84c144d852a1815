/**
 * Addresses of the console's pages. Each state that a person may want to share is in its address; the token never is.
 */
import { packState } from './packed-state';

export const QUERIES = '/console/queries';
export const SOURCES = '/console/sources';
export const NEW_SOURCE = '/console/new-source';
export const STATUS = '/console/status';
export const NEW_QUERY = '/console/new';
export const TOKENS = '/console/tokens';
export const NEW_TOKEN_PAGE = '/console/tokens/new';
export const AUDIT = '/console/audit';

export const tokenLink = (id: string): string => `${TOKENS}/${encodeURIComponent(id)}`;
export const auditLink = (filters: Readonly<Record<string, string>>): string => withState(AUDIT, filters);
export const sourceLink = (name: string): string => `${SOURCES}/${encodeURIComponent(name)}`;
export const sourceHistoryLink = (name: string, state: Readonly<Record<string, string>> = {}): string =>
  withState(`${sourceLink(name)}/history`, state);
export const editSourceLink = (name: string): string => `${sourceLink(name)}/edit`;
export const sendLink = (source: string): string => withState(SOURCES, { view: 'send', source });
export const shippersLink = (source: string): string => withState(SOURCES, { view: 'shippers', source });
export const editLink = (name: string): string => `${queryLink(name)}/edit`;
export const historyLink = (name: string, state: Readonly<Record<string, string>> = {}): string =>
  withState(`${queryLink(name)}/history`, state);

/** @param state parameters and texts; empty ones are left out */
export function queryLink(name: string, state: Readonly<Record<string, string>> = {}): string {
  return withState(`${QUERIES}/${encodeURIComponent(name)}`, state);
}

export function withState(path: string, state: Readonly<Record<string, string>>): string {
  const given = Object.entries(state).filter(([, value]) => value !== '');
  const search = new URLSearchParams(given).toString();
  if (search.length <= MAX_SEARCH) return search === '' ? path : `${path}?${search}`;
  // The longest values, as many as are needed.
  const byLength = [...given].sort((a, b) => a[1].length - b[1].length);
  const kept = byLength.filter(
    (_, at) => new URLSearchParams(byLength.slice(0, at + 1)).toString().length <= MAX_SEARCH
  );
  const rest = byLength.slice(kept.length);
  return `${withState(path, Object.fromEntries(kept))}#${packState(rest)}`;
}

/** The service refuses longer addresses, so that a reload would lose the page. It is sent no fragment. */
const MAX_SEARCH = 4_000;

/** A new saved query that begins with the newest events of a source. */
export const newQueryOfSource = (source: string): string => withState(NEW_QUERY, { source });

/** A new saved query from a text of a sandbox. */
export function newQueryLink(from: string, { language, text }: { readonly language: string; readonly text: string }) {
  return withState(NEW_QUERY, { [language]: text, from });
}
