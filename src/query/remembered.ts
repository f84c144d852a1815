/**
 * Remembers in the browser's storage the last query of each data source as default for new ones. Does nothing without
 * storage.
 */
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
  write(uid, { last: { ...known.last, [place]: { endpoint, params } }, values });
}

export function lastUse(uid: string, place: Place): LastUse | undefined {
  const last = read(uid).last?.[place];
  return last && typeof last === 'object' && last.endpoint && last.params ? last : undefined;
}

export function lastValues(uid: string, parameter: string): readonly string[] {
  const values = read(uid).values?.[parameter];
  return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [];
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
