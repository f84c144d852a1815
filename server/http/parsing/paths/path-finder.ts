/**
 * Finds the routes of a path. Segments are compared literally; only those in the place of a variable are decoded. With
 * twenty paths a general router is unnecessary and would cost each request more than all of its checks.
 */
import { REFERENCE } from '#contract/routes/aliases';
import { PATH_VARIABLES, type PathVariable, type Route } from '#contract/routes/route';
import { decodePathSegment } from '../decode-text';

export interface FoundPath {
  /** Routes of the path, one per set of methods. */
  readonly routes: readonly Route[];
  readonly values: PathValues;
}

/** Decoded segments; empty for variables that the path does not have. */
export type PathValues = Readonly<Record<PathVariable | typeof REFERENCE, string>>;

interface KnownPath {
  readonly segments: readonly string[];
  readonly routes: readonly Route[];
}

const VARIABLES: ReadonlyMap<string, keyof PathValues> = new Map(
  ([...PATH_VARIABLES, REFERENCE] as const).map((name) => [`{${name}}`, name])
);

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
    return { routes: found.routes, values: valuesOf(found.segments, segments) };
  };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, i) => (VARIABLES.has(part) ? segments[i] !== '' : part === segments[i]));
}

function valuesOf(pattern: readonly string[], segments: readonly string[]): PathValues {
  const values = { q: '', s: '', n: '', id: '', index: '', format: '', ref: '' };
  pattern.forEach((part, i) => {
    const name = VARIABLES.get(part);
    if (name !== undefined) values[name] = decodePathSegment(segments[i]!);
  });
  return values;
}
