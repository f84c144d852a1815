/**
 * The query string of the address as it is there. `useSearch` of wouter decodes it once more, so that a `%20` within a
 * text would become a blank.
 */
export { useSearch } from 'wouter/use-browser-location';
