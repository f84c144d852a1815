/**
 * The query string of the address as it is there. `useSearch` of wouter decodes it once more, so that a `%20` within a
 * text would become a blank.
 */
import { useSyncExternalStore } from 'react';
import { unpackState } from './packed-state';
import { pageAddress } from './page-address';

/** wouter tells of the second and the third. */
const EVENTS = ['popstate', 'pushState', 'replaceState'] as const;

function subscribe(onChange: () => void): () => void {
  for (const name of EVENTS) window.addEventListener(name, onChange);
  const endOfChanges = pageAddress.onChange(onChange);
  return () => {
    endOfChanges();
    for (const name of EVENTS) window.removeEventListener(name, onChange);
  };
}

/** Without its question mark; with long texts, which are in the fragment. */
export function useSearch(): string {
  return useSyncExternalStore(subscribe, readSearch);
}

function readSearch(): string {
  const { search, hash } = pageAddress.current;
  return [search.slice(1), unpackState(hash.slice(1))].filter((part) => part !== '').join('&');
}
