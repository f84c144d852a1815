/** The time range of a run: parameters of a saved query, filled with two times or with a span up to now. */
import type { Parameter } from '#contract/queries/saved-query';

export const SPANS = {
  '15m': { label: '15 min', minutes: 15 },
  '1h': { label: '1 h', minutes: 60 },
  '24h': { label: '24 h', minutes: 1440 },
  '7d': { label: '7 days', minutes: 10_080 },
} as const;
export type Span = keyof typeof SPANS;

export function isSpan(text: string | undefined): text is Span {
  return text !== undefined && Object.hasOwn(SPANS, text);
}

/** Names of the parameters that bound the time of the events. */
export interface TimeParameters {
  readonly start: string;
  /** Null: a range has no end. */
  readonly end: string | null;
}

const START = /(?:^|_)(?:start|from|since|after|begin)(?:_|$)/i;
const END = /(?:^|_)(?:end|to|until|till|before|stop)(?:_|$)/i;

/** @returns null for a saved query that declares no beginning of a range */
export function timeParametersOf(declared: readonly Parameter[]): TimeParameters | null {
  const times = declared.filter(isTime);
  const start = times.find(({ name }) => START.test(name))?.name;
  return start === undefined ? null : { start, end: times.find(({ name }) => END.test(name))?.name ?? null };
}

export function isTime({ type, format }: Parameter): boolean {
  return type === 'timestamp' || format === 'iso8601';
}

type Values = Readonly<Record<string, string>>;

/** The parameters of a run that begins now. */
export function fillRange(values: Values, span: Span | null, range: TimeParameters | null, nowMs: number): Values {
  if (span === null || range === null) return values;
  const start = new Date(nowMs - SPANS[span].minutes * 60_000).toISOString();
  return { ...values, [range.start]: start, ...(range.end !== null && { [range.end]: '' }) };
}

const ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Milliseconds since 1970 of a parameter; without a zone it is of UTC, as the service reads it. NaN for other texts */
export function parseTime(text: string): number {
  const hasClock = text.includes(':');
  return Date.parse(hasClock && !ZONE.test(text) ? `${text.trim().replace(' ', 'T')}Z` : text);
}

/** Milliseconds since 1970 of the range of a run. @returns null for a range without a beginning */
export function boundsOf(
  values: Values,
  range: TimeParameters | null,
  nowMs: number
): { readonly fromMs: number; readonly toMs: number } | null {
  const fromMs = parseTime(range === null ? '' : (values[range.start] ?? ''));
  const end = range?.end ? (values[range.end] ?? '') : '';
  const toMs = end === '' ? nowMs : parseTime(end);
  return fromMs < toMs ? { fromMs, toMs } : null;
}

/** Without times, a run has no bounds. */
export function withoutRange(values: Values, range: TimeParameters | null): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== range?.start && name !== range?.end));
}
