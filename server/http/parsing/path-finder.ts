/**
 * Finds the routes of a path. Segments are compared literally; only the segment in the place of `{q}` is decoded. With
 * ten paths a general router is unnecessary and would cost each request more than all of its checks.
 */
import type { Route } from '#contract/routes';
import { decodePathSegment } from './decode-text';

export interface FoundPath {
  /** Routes of the path, one per set of methods. */
  readonly routes: readonly Route[];
  readonly q: string;
}

interface KnownPath {
  readonly segments: readonly string[];
  readonly routes: readonly Route[];
}

const PLACE = '{q}';

/**
 * The first matching path wins.
 * @returns a function that throws ServiceError `encoding_invalid`
 */
export function createPathFinder(routes: readonly Route[]): (path: string) => FoundPath | undefined {
  const known: readonly KnownPath[] = [...new Set(routes.map(({ path }) => path))].map((path) => ({
    segments: path.split('/'),
    routes: routes.filter((route) => route.path === path),
  }));
  return (path) => {
    const segments = path.split('/');
    const found = known.find((candidate) => fits(candidate.segments, segments));
    if (!found) return undefined;
    const place = found.segments.indexOf(PLACE);
    return { routes: found.routes, q: place < 0 ? '' : decodePathSegment(segments[place]!) };
  };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, i) => (part === PLACE ? segments[i] !== '' : part === segments[i]));
}
