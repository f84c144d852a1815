/**
 * Translates DuckDB's failures to errors of the service with its own messages: DuckDB's texts contain values,
 * statements and paths.
 */
import { isNativeError } from 'node:util/types';
import { READ_LESS, ServiceError } from '#contract/errors';
import { failurePlaceIn, RUN_FAILURES, runFailureIn } from '#compiler/store';
import { errorCode, failedCall } from '../../../common/caught-error';
import type { IngestFault } from '../../store';

/** Messages of DuckDB's regular expression library, and the service's messages for them. */
const PATTERN_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/missing \)/, 'a closing parenthesis is missing'],
  [/unexpected \)/, 'a closing parenthesis has no opening one'],
  [/missing \]/, 'a closing bracket is missing'],
  [/bad repetition operator/, 'two repetition operators follow one another'],
  [/no argument for repetition operator/, 'a repetition operator has nothing to repeat'],
  [/invalid repetition size/, 'a repetition count is too large'],
  [/invalid character class range/, 'a character class holds an invalid range'],
  [/invalid character class/, 'a character class is not valid'],
  [/invalid escape sequence/, 'an escape sequence is not supported'],
  [/trailing \\/, 'it ends with a backslash'],
  [/invalid named capture group|invalid group name|duplicate capture group name/, 'a named group is not valid'],
  [/invalid perl operator/, 'a group starts with an operator that is not supported'],
  [/pattern too large|exceeded maximum size/, 'it is too large'],
  [/invalid UTF-8/, 'it is not valid UTF-8'],
];

/** Failures that depend on values: caused by the caller's query, or by the rows it reads. */
const VALUE_FAULTS: readonly (readonly [RegExp, string, string])[] = [
  [
    /^Conversion Error[\s\S]*(timestamp|date|time|interval)/i,
    'bad_time',
    'a value is not a valid time, or outside the range of times',
  ],
  [/^Conversion Error[\s\S]*out of range/i, 'out_of_range', 'a value is outside the range of its type'],
  [
    /^Conversion Error/,
    'bad_cast',
    'a value cannot be converted to the type that the query asks for; SAFE_CAST gives NULL instead',
  ],
  [/^Out of Range Error[\s\S]*(timestamp|date|interval)/i, 'bad_time', 'a time is outside the range of times'],
  [/^Out of Range Error/, 'out_of_range', 'a number is outside the range of its type or function'],
  [
    /More than one row returned by a subquery/i,
    'scalar_subquery',
    'a subquery used as a value returned more than one row',
  ],
  [/Like pattern must not end with escape/i, 'bad_regex', 'a pattern of LIKE ends with a backslash'],
  [/division by zero/i, 'division_by_zero', 'a number was divided by zero'],
  [/Unknown TimeZone/i, 'bad_time_zone', 'a time zone is not known'],
  [/Could not parse string|format specifier/i, 'bad_time', 'a text does not match the time format'],
  [/Malformed JSON|JSON/, 'bad_json', 'a text is not valid JSON'],
];

/**
 * Valid in the dialect, but of a form that DuckDB does not run, the first that matches: full joins, outer joins, limits
 * and windows that read rows around a subquery.
 */
const FORMS_NOT_RUN: readonly (readonly [pattern: RegExp, message: string, hint: string])[] = [
  [
    /^Not implemented Error: (?:Unsupported join type for flattening|Non-inner join on) correlated/,
    'the embedded store does not run such an outer join in a subquery that reads the rows around it',
    'make the join in a WITH query, which reads no rows around it, and read that in the subquery',
  ],
  [
    /^Not implemented Error: Cannot perform non-inner join on subquery/,
    'the embedded store does not run an outer join whose condition has such a subquery',
    'compute it as a column of a joined table, as in FROM (SELECT *, x IN (SELECT ...) AS is_in FROM t)',
  ],
  [
    /^Not implemented Error|^Parser Error: (?:Non-constant limit|window functions are not allowed)/,
    'the embedded store does not run a query of this form',
    'write what reads the rows around a subquery as a join, or in WHERE',
  ],
];

/** A name in the statement is unknown: the statement may have been compiled before columns or tables changed. */
const SCHEMA_CHANGED = /^(?:Catalog|Binder) Error|^Transaction(?:Context)? Error.*(?:altered|dropped)/i;

/** Internal faults of DuckDB. Their texts say nothing about the query. */
const INTERNAL = /^(?:INTERNAL|FATAL) Error/;

/** Failures caused by the batch, or by how it was read: the next batch may still be stored. */
const FAULTS_OF_VALUES =
  /^(Conversion|Invalid Input|Out of Range|Constraint|Binder|Parser|Catalog|Mismatch Type|Not implemented|INTERNAL) Error/;

export function isFaultOfValues(error: unknown): boolean {
  return isNativeError(error) && FAULTS_OF_VALUES.test(error.message);
}

export function isOutOfMemory(error: unknown): boolean {
  return (
    isNativeError(error) &&
    /^Out of Memory Error|failed to pin block|could not allocate block|failed to allocate data/.test(firstLine(error))
  );
}

/** True for a statement that was prepared after its table was dropped. */
export function isMissingTable(error: unknown): boolean {
  return isNativeError(error) && /^Catalog Error: Table with name/.test(error.message);
}

/** True while a query that began before a change of tables still runs: a checkpoint has to wait for its end. */
export function isBusy(error: unknown): boolean {
  return isNativeError(error) && error.message.includes('there are other write transactions active');
}

/**
 * True after a failure in the middle of a checkpoint or commit: DuckDB then refuses every statement, or every one that
 * reads sealed days.
 */
export function isInvalidated(error: unknown): boolean {
  const text = firstLine(error instanceof ServiceError ? error.cause : error);
  return /^FATAL Error.*database has been invalidated|^IO Error: Database "\w+" has been invalidated/.test(text);
}

export function isDiskFull(error: unknown): boolean {
  return (
    isNativeError(error) && /No space left on device|disk is full|File too large|quota exceeded/i.test(error.message)
  );
}

/** True for `diskFull`, which is thrown before anything is written. */
export function isDiskFullError(error: unknown): boolean {
  return error instanceof ServiceError && error.details['reason'] === 'disk_full';
}

/** Read-only mounts, as after an error of the disk, failed disks, and lost rights. */
function isDiskFailed(error: unknown): boolean {
  return isNativeError(error) && /Read-only file system|Input\/output error|Permission denied/i.test(firstLine(error));
}

/** A block of a file cannot be read, or has another checksum than when it was written. */
const DAMAGED = /^IO Error: (?:Corrupt database file|Could not read (?:enough bytes )?from file "[^"]*\.duckdb")/;

/** True when a file of the store has lost or changed data. Statements that read other blocks succeed. */
export function isDamaged(error: unknown): boolean {
  return DAMAGED.test(firstLine(error instanceof ServiceError ? error.cause : error));
}

export function ingestFaultOf(error: unknown): IngestFault {
  if (isDamaged(error)) return 'damaged';
  if (isDiskFull(error) || isDiskFullError(error)) return 'disk_full';
  if (isOutOfMemory(error)) return 'memory';
  return isDiskFailed(error) ? 'disk_failed' : 'other';
}

export function diskFull(cause?: unknown): ServiceError {
  return new ServiceError(
    'backend_unavailable',
    'The disk of the data folder is full.',
    { reason: 'disk_full' },
    { cause }
  );
}

/** A failure that keeps the store from being opened, when no caller has a query yet. */
export function openFailure(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  if (isDiskFull(cause)) return diskFull(cause);
  const code = failedCall(cause) === undefined ? undefined : errorCode(cause);
  if (code !== undefined) {
    const hint = 'the user of the server must be able to read and write the folder and all that is in it';
    return new ServiceError('backend_unavailable', `the data folder cannot be used (${code})`, { hint }, { cause });
  }
  if (isOutOfMemory(cause)) {
    const message = 'the store needs more memory to be opened (LQE_ENGINE_MEMORY_MB)';
    return new ServiceError('backend_unavailable', message, {}, { cause });
  }
  // DuckDB names the file of a block that is missing, and not that of one with another checksum.
  const message = isDamaged(cause)
    ? 'a file of the store is damaged (logs.duckdb or sealed.duckdb): restore a backup'
    : 'the store cannot be opened';
  return new ServiceError('backend_unavailable', message, {}, { cause });
}

/** The following lines may contain parts of the statement, of a value, or a stack trace. */
function firstLine(error: unknown): string {
  return isNativeError(error) ? (error.message.split('\n', 1)[0] ?? '') : '';
}

const OVERFLOWS: Readonly<Record<string, string>> = {
  addition: 'add',
  subtraction: 'sub',
  multiplication: 'mul',
  negation: 'neg',
};

/** The operation that left the range of numbers, where DuckDB names it, for the place of the failure. */
function overflowIn(text: string): { readonly operation?: string } {
  if (text.startsWith('Out of Range Error: cannot take square root')) return { operation: 'sqrt' };
  const operation = OVERFLOWS[/^Out of Range Error: Overflow in (\w+)/.exec(text)?.[1] ?? ''];
  return operation === undefined ? {} : { operation };
}

/** @param isAborted true when the caller aborted: then an interrupt is expected. */
export function translateError(error: unknown, isAborted: boolean): ServiceError {
  if (error instanceof ServiceError) return error;
  // Errors of native code may come from another realm, where `instanceof` is false.
  const text = firstLine(error);
  const cause = { cause: error };
  if (isAborted || text.startsWith('INTERRUPT Error')) {
    return new ServiceError('query_timeout', 'the query was stopped before it was done', {}, cause);
  }
  if (isDamaged(error)) {
    const hint = 'queries of other days go on; the operator can restore a backup';
    const details = { reason: 'store_damaged', hint };
    return new ServiceError('backend_error', 'a file of the store is damaged', details, cause);
  }
  if (INTERNAL.test(text)) return new ServiceError('backend_error', 'the store could not run the query', {}, cause);
  if (isOutOfMemory(error)) {
    return new ServiceError(
      'resource_limit',
      'the query needs more memory than it may use',
      { reason: 'memory', hint: READ_LESS },
      cause
    );
  }
  const raised = runFailureIn(text);
  if (raised !== undefined) {
    const { code, message } = RUN_FAILURES[raised];
    return new ServiceError(code, message, { reason: raised, place: failurePlaceIn(text) }, cause);
  }
  const fault = text.startsWith('Invalid Input Error')
    ? PATTERN_FAULTS.find(([pattern]) => pattern.test(text.slice(0, 80)))
    : undefined;
  if (fault !== undefined) {
    return new ServiceError('query_invalid', `invalid regular expression: ${fault[1]}`, { reason: 'bad_regex' }, cause);
  }
  const value = VALUE_FAULTS.find(([pattern]) => pattern.test(text));
  if (value !== undefined) {
    return new ServiceError('query_invalid', value[2], { reason: value[1], ...overflowIn(text) }, cause);
  }
  const form = FORMS_NOT_RUN.find(([pattern]) => pattern.test(text));
  if (form !== undefined) {
    const [, message, hint] = form;
    return new ServiceError('query_invalid', message, { reason: 'not_supported', hint }, cause);
  }
  if (SCHEMA_CHANGED.test(text)) {
    return new ServiceError(
      'backend_error',
      'the store changed while the query ran',
      { reason: 'schema_changed' },
      cause
    );
  }
  return new ServiceError('backend_error', 'the store could not run the query', {}, cause);
}
