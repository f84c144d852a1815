/**
 * Remembers in the browser's storage the last query of each data source as default for new ones, and which parameters
 * are patterns. Does nothing without storage.
 */
import type { EndpointSummary } from '#contract/plugin/resources';
import { hasVariable, patternParameters } from './interpolate';
import type { LogEndpointsQuery } from '../types';

/** Explore and panels each have a last query. */
export type Place = 'explore' | 'panel';

export interface LastUse {
  readonly endpoint: { readonly id?: string; readonly name?: string };
  readonly params: Readonly<Record<string, string>>;
}

interface Remembered {
  readonly last?: Partial<Record<Place, LastUse>>;
  /** Parameter values by name, newest first. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Names of parameters that are patterns, by id and by name of their endpoint. */
  readonly patterns?: Readonly<Record<string, readonly string[]>>;
}

const KEPT_VALUES = 10;
const MAX_LENGTH = 200;

/** Remembers a query that ran, without ad-hoc text. */
export function rememberUse(uid: string, place: Place, { endpoint = {}, params = {} }: LogEndpointsQuery): void {
  const known = read(uid);
  const values = { ...known.values };
  for (const [name, value] of Object.entries(params)) {
    if (!isKept(value)) continue;
    values[name] = [value, ...(values[name] ?? []).filter((each) => each !== value)].slice(0, KEPT_VALUES);
  }
  // Another dashboard may lack the variable.
  const last = hasVariable(endpoint) ? known.last : { ...known.last, [place]: { endpoint, params } };
  write(uid, { ...known, ...(last && { last }), values });
}

export function lastUse(uid: string, place: Place): LastUse | undefined {
  const last = read(uid).last?.[place];
  return last && typeof last === 'object' && last.endpoint && last.params ? last : undefined;
}

export function lastValues(uid: string, parameter: string): readonly string[] {
  const values = read(uid).values?.[parameter];
  return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [];
}

export function rememberPatterns(uid: string, endpoints: readonly EndpointSummary[]): void {
  const patterns = Object.fromEntries(
    endpoints.flatMap((endpoint) => {
      const names = patternParameters(endpoint);
      return names.length === 0 ? [] : [endpoint.id, endpoint.name].map((key) => [key, names] as const);
    })
  );
  const known = read(uid);
  if (JSON.stringify(known.patterns ?? {}) !== JSON.stringify(patterns)) write(uid, { ...known, patterns });
}

/** @param endpoint id or name */
export function rememberedPatterns(uid: string, endpoint: string): readonly string[] {
  const names = read(uid).patterns?.[endpoint];
  return Array.isArray(names) ? names.filter((each) => typeof each === 'string') : [];
}

/** Excludes variables, macros and long texts. */
function isKept(value: string): boolean {
  return value.trim() !== '' && value.length <= MAX_LENGTH && !/\$|\[\[/.test(value);
}

function keyOf(uid: string): string {
  return `svc-logqueryendpoints-datasource.${uid}`;
}

function read(uid: string): Remembered {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(keyOf(uid)) ?? '{}');
    return stored && typeof stored === 'object' ? stored : {};
  } catch {
    return {};
  }
}

function write(uid: string, remembered: Remembered): void {
  try {
    window.localStorage.setItem(keyOf(uid), JSON.stringify(remembered));
  } catch {
    // The browser may deny access; new queries then use the default.
  }
}
