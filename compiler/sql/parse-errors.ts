/** Errors of lexer and parser: one function per reason, which returns the `ServiceError` to throw. */
import { ServiceError } from '#contract/errors';
import type { SourcePosition } from '../ast/node';
import type { ParseLimits } from './parse-limits';

/** Where a caller finds what other services have in a catalog. */
export const LIST_OF_TABLES = 'GET /api/endpoints/<name> lists the tables of a saved query and their columns';

export type ParseReason =
  | 'query_empty'
  | 'not_select'
  | 'multiple_statements'
  | 'syntax'
  | 'not_in_dialect'
  | 'not_supported'
  | 'table_function'
  | 'too_complex';

/** Error: the text violates the grammar. */
export function syntaxError(position: SourcePosition, message: string, hint?: string): ServiceError {
  return unreadable('syntax', position, message, hint);
}

/** Error: the text is valid in another dialect; the message names the equivalent here. */
export function notInDialect(position: SourcePosition, message: string, hint?: string): ServiceError {
  return unreadable('not_in_dialect', position, message, hint);
}

/** Error: the text is valid GoogleSQL that this service does not support. */
export function notSupported(position: SourcePosition, message: string, hint?: string): ServiceError {
  return new ServiceError('sandbox_violation', message, { ...facts('not_supported', position, hint), rule: 'clause' });
}

export function emptyQuery(position: SourcePosition): ServiceError {
  return new ServiceError('sql_empty', 'the query is empty', facts('query_empty', position));
}

/** @param found describes the actual statement, quotes included */
export function notSelect(position: SourcePosition, found: string, hint?: string): ServiceError {
  return new ServiceError('sandbox_violation', `only SELECT queries are allowed, found ${found}`, {
    ...facts('not_select', position, hint),
    rule: 'statement',
  });
}

export function multipleStatements(position: SourcePosition): ServiceError {
  return new ServiceError('sandbox_violation', 'only one statement is allowed', {
    ...facts('multiple_statements', position),
    rule: 'statement',
  });
}

/** What to write for functions that other dialects have in FROM. */
const ARRAYS_IN_FROM: ReadonlyMap<string, string> = new Map([
  [
    'GENERATE_SERIES',
    'write FROM UNNEST(GENERATE_TIMESTAMP_ARRAY(a, b, INTERVAL 1 HOUR)) AS x, or GENERATE_ARRAY(a, b) for numbers',
  ],
  ['RANGE', 'write FROM UNNEST(GENERATE_ARRAY(a, b)) AS x'],
  ['NUMBERS', 'write FROM UNNEST(GENERATE_ARRAY(a, b)) AS x'],
  ['JSON_ARRAY_ELEMENTS', 'write FROM UNNEST(JSON_QUERY_ARRAY(json)) AS x'],
  ['JSONB_ARRAY_ELEMENTS', 'write FROM UNNEST(JSON_QUERY_ARRAY(json)) AS x'],
  ['REGEXP_SPLIT_TO_TABLE', 'write FROM UNNEST(SPLIT(text, separator)) AS x'],
  ['STRING_TO_TABLE', 'write FROM UNNEST(SPLIT(text, separator)) AS x'],
  ['EXPLODE', 'write FROM UNNEST(array) AS x'],
  ['FLATTEN', 'write FROM UNNEST(array) AS x'],
]);

/** @param name the dotted name as written, without quotes */
export function tableFunction(position: SourcePosition, name: string): ServiceError {
  return new ServiceError('sandbox_violation', `table functions are not supported: ${name}`, {
    ...facts('table_function', position, ARRAYS_IN_FROM.get(name.toUpperCase())),
    rule: 'table',
    name,
  });
}

const LIMIT_TEXTS: Readonly<Record<keyof ParseLimits, (maximum: string) => string>> = {
  maxBytes: (maximum) => `is longer than ${maximum} bytes`,
  maxDepth: (maximum) => `is nested more than ${maximum} levels deep`,
  maxNodes: (maximum) => `has more than ${maximum} parts`,
  maxJoins: (maximum) => `has more than ${maximum} joins`,
  maxSubqueries: (maximum) => `has more than ${maximum} subqueries in expressions`,
  maxSetBranches: (maximum) => `has more than ${maximum} branches in set operations`,
  maxInItems: (maximum) => `has more than ${maximum} values in one IN list`,
  maxOutputColumns: (maximum) => `has more than ${maximum} columns`,
  maxCommonTables: (maximum) => `has more than ${maximum} WITH queries`,
  maxPipeOperators: (maximum) => `has more than ${maximum} pipe operators`,
};

/** Error: the text exceeds a limit; `details.limit` is its name and `details.maximum` its value. */
export function tooComplex(position: SourcePosition, limit: keyof ParseLimits, maximum: number): ServiceError {
  return new ServiceError('query_too_complex', `the query ${LIMIT_TEXTS[limit](maximum.toLocaleString('en-US'))}`, {
    ...facts('too_complex', position),
    limit,
    maximum,
  });
}

function unreadable(reason: ParseReason, position: SourcePosition, message: string, hint?: string): ServiceError {
  return new ServiceError('sql_syntax', message, facts(reason, position, hint));
}

function facts(reason: ParseReason, { line, column }: SourcePosition, hint?: string) {
  return { reason, position: { line, column }, ...(hint === undefined ? {} : { hint }) };
}
