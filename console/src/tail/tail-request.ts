/** Calls of a live tail: the newest rows of a text within a window of time. */
import { withoutOrder } from '../../../src/language/count-lines';
import { boundedWithout, hasChart, isTimeFilter } from '../../../src/language/lql-clauses';
import { outermost, readLqlWords, tokenizeTemplate } from '#compiler/browser';
import type { Adhoc, RunRequest } from '../api/run-query';

export interface TailWindow {
  readonly fromMicros: number;
  readonly toMicros: number;
  /** Rows of a page, and those before it. */
  readonly limit: number;
  readonly offset: number;
  /** Whether rows have an id, which orders those of one time. */
  readonly hasId: boolean;
}

/** What is followed. */
export type TailSource =
  /** SELECT without ORDER BY and LIMIT, with a column `timestamp`. */
  | { readonly kind: 'sql'; readonly lines: string }
  | { readonly kind: 'lql'; readonly text: string }
  /** The saved query itself, by the parameter that bounds its time: its own LIMIT holds. */
  | { readonly kind: 'saved'; readonly start: string; readonly end: string | null };

/**
 * @param sql the text as SQL, or the SELECT of the saved query
 * @param bounds parameters of time that the saved query declares
 * @returns null for texts whose rows are not lines in time
 */
export function tailSource(
  adhoc: Adhoc | null,
  sql: string | null,
  bounds: { readonly start: string; readonly end: string | null } | null,
  mayAdhoc: boolean
): TailSource | null {
  if (adhoc?.language === 'lql') {
    const words = readLqlWords(adhoc.text);
    return hasChart(adhoc.text) || words.some(isTimeFilter) ? null : { kind: 'lql', text: adhoc.text };
  }
  // Groups are no lines; their columns could not be ordered by time.
  const isGrouped = sql !== null && outermost(tokenizeTemplate(sql)).some(({ symbol }) => symbol === 'GROUP');
  const lines = mayAdhoc && sql !== null && !isGrouped ? withoutOrder(sql) : undefined;
  if (lines) return { kind: 'sql', lines };
  return adhoc === null && bounds !== null ? { kind: 'saved', ...bounds } : null;
}

/** @param request of which the time range is removed */
export function tailRequest(request: RunRequest, source: TailSource, window: TailWindow): RunRequest {
  const { fromMicros, toMicros, limit, offset, hasId } = window;
  switch (source.kind) {
    case 'sql':
      return {
        ...request,
        adhoc: {
          language: 'sql',
          text: [
            'select * from (',
            source.lines,
            `) as lines where timestamp >= timestamp_micros(${fromMicros}) and timestamp <= timestamp_micros(${toMicros})`,
            `order by timestamp desc${hasId ? ', id' : ''} limit ${limit} offset ${offset}`,
          ].join('\n'),
        },
      };
    case 'lql': {
      const range = `t:>=${isoOf(fromMicros)} t:<=${isoOf(toMicros)}`;
      return { ...request, adhoc: { language: 'lql', text: boundedWithout(source.text, 'chart', range) } };
    }
    case 'saved':
      return {
        ...request,
        parameters: { ...request.parameters, [source.start]: isoOf(fromMicros - 1) },
        adhoc: null,
      };
  }
}

function isoOf(micros: number): string {
  const millis = Math.floor(micros / 1000);
  return new Date(millis).toISOString().replace('Z', `${String(micros - millis * 1000).padStart(3, '0')}Z`);
}
