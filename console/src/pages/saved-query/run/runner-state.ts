/** What a person has entered and chosen on the page of a saved query, as it is in the address. */
import { keysOf } from '#contract/records';
import type { Parameter } from '#contract/queries/saved-query';
import type { Language, RunRequest } from '../../../api/run-query';
import type { ReadParts } from '../../../app/ignored-parts';
import { isSpan, SPANS, type Span, timeParametersOf } from './time-range';

const VIEWS = ['run', 'definition', 'call'] as const;
export type View = (typeof VIEWS)[number];

export interface RunnerState {
  readonly view: View;
  readonly parameters: Readonly<Record<string, string>>;
  readonly language: Language;
  /** A query in the sandbox; empty: the saved query itself. */
  readonly text: string;
  /** A span up to now, which fills the parameters of time with each run; null: they have values of their own. */
  readonly span: Span | null;
  /** Log lines are shown as a table. */
  readonly isTable: boolean;
}

/** Parameters have a prefix, so that none of them can take the place of another part of the state. */
const PREFIX = 'p.';

export function readState(search: string): RunnerState {
  const entries = [...new URLSearchParams(search)];
  const valueOf = (wanted: string): string | undefined => entries.find(([name]) => name === wanted)?.[1];
  const [lql, span] = [valueOf('lql'), valueOf('last')];
  return {
    view: VIEWS.find((each) => each === valueOf('view')) ?? 'run',
    parameters: Object.fromEntries(
      entries.filter(([name]) => name.startsWith(PREFIX)).map(([name, value]) => [name.slice(PREFIX.length), value])
    ),
    language: lql === undefined ? 'sql' : 'lql',
    text: lql ?? valueOf('sql') ?? '',
    span: isSpan(span) ? span : null,
    isTable: valueOf('show') === 'table',
  };
}

/** @param declared parameters of the saved query; null: unknown, since the token may not read it */
export function readParts({ language }: RunnerState, declared: readonly Parameter[] | null): ReadParts {
  const hasRange = declared === null || timeParametersOf(declared) !== null;
  const names = (declared ?? []).map(({ name }) => [`${PREFIX}${name}`, null] as const);
  return {
    names: {
      view: VIEWS,
      show: ['table'],
      last: hasRange ? keysOf(SPANS) : 'the saved query has no time range',
      sql: language === 'lql' ? 'the page has an LQL text' : null,
      lql: null,
      ...Object.fromEntries(names),
    },
    ...(declared === null && { prefix: PREFIX }),
  };
}

/** What is as at first is left out. */
export function writeState(state: RunnerState): Readonly<Record<string, string>> {
  const { view, parameters, language, text, span, isTable } = state;
  const named = Object.entries(parameters).map(([name, value]) => [`${PREFIX}${name}`, value] as const);
  return {
    view: view === 'run' ? '' : view,
    ...Object.fromEntries(named),
    last: span ?? '',
    [language]: text,
    show: isTable ? 'table' : '',
  };
}

export function requestOf(
  query: string,
  { parameters, language, text }: Pick<RunnerState, 'parameters' | 'language' | 'text'>
): RunRequest {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  const adhoc = text.trim() === '' ? null : { language, text };
  return { query, parameters: Object.fromEntries(given), adhoc };
}
