/** What this browser asked last, by data source: a new query begins with it. Without a storage nothing is remembered. */
import type { LogEndpointsQuery } from '../types';

/** Explore and panels have a last query each. */
export type Place = 'explore' | 'panel';

export interface LastUse {
  readonly endpoint: { readonly id?: string; readonly name?: string };
  readonly params: Readonly<Record<string, string>>;
}

interface Remembered {
  readonly last?: Partial<Record<Place, LastUse>>;
  /** Values of parameters by name, the newest first. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

const KEPT_VALUES = 10;
const MAX_LENGTH = 200;

/** Of a query that was run. Queries of one's own leave their text out. */
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

/** Variables and macros are no values; long texts are no choices. */
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
    // A browser may refuse: the next query begins with the default.
  }
}
