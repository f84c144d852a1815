/** Checks one parameter value against its declaration. */
import { RE2JSSyntaxException } from 're2js';
import { type ErrorDetails, ServiceError } from '#contract/errors';
import type { Parameter } from '#contract/queries/saved-query';
import { parseIsoTimestamp } from '#compiler/time/parse-iso';
import type { CallPatterns } from './call-patterns';

/**
 * @param value not empty
 * @param patterns those of the call
 * @throws ServiceError `parameter_invalid`
 */
export function checkValue(parameter: Parameter, value: string, patterns: CallPatterns): void {
  const { name } = parameter;
  if (parameter.enum && !parameter.enum.includes(value))
    throw invalid(name, `must be one of ${parameter.enum.map((item) => `"${item}"`).join(', ')}`, {
      allowed: parameter.enum,
    });
  checkType(parameter, value);
  if (parameter.format === 'iso8601') checkTime(name, value);
  if (parameter.format === 'regex') checkRegex(name, value, patterns);
  if (parameter.pattern !== undefined) checkPattern(name, value, parameter.pattern, patterns);
}

function checkPattern(name: string, value: string, pattern: string, patterns: CallPatterns): void {
  const limit = patterns.limitOf(pattern);
  if (limit !== null)
    throw invalid(name, `cannot be compared with its pattern: ${limit}`, {
      hint: 'write a shorter pattern in the saved query',
    });
  const maxLength = patterns.maxLength(pattern);
  if (value.length > maxLength)
    throw invalid(name, 'is too long for its pattern', {
      max_length: maxLength,
      hint: 'the longer the patterns of a saved query, the shorter the values that they are compared with',
    });
  if (!patterns.matches(pattern, value)) throw invalid(name, 'does not match its pattern', { allowed: { pattern } });
}

const INT64_MAX = 9_223_372_036_854_775_807n;

function checkType({ name, type }: Parameter, value: string): void {
  switch (type) {
    case 'text':
      return;
    case 'integer':
      if (
        !/^[+-]?\d{1,19}$/.test(value) ||
        BigInt(value.replace('+', '')) > INT64_MAX ||
        BigInt(value.replace('+', '')) < -INT64_MAX - 1n
      )
        throw invalid(name, 'must be a whole number of 64 bits', { allowed: 'integer' });
      return;
    case 'number':
      if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(value) || !Number.isFinite(Number(value)))
        throw invalid(name, 'must be a number', { allowed: 'number' });
      return;
    case 'boolean':
      if (!/^(true|false)$/i.test(value)) throw invalid(name, 'must be true or false', { allowed: ['true', 'false'] });
      return;
    case 'timestamp':
      checkTime(name, value);
  }
}

function checkTime(name: string, value: string): void {
  if (parseIsoTimestamp(value) !== null) return;
  // A plus in a query string decodes to a space.
  const lostPlus = /:\d{2}(\.\d+)? \d{2}(:?\d{2})?$/.test(value);
  throw invalid(name, 'must be an ISO 8601 time', {
    allowed: 'ISO 8601',
    hint: lostPlus
      ? 'in a URL the "+" of an offset must be written as %2B'
      : 'write it like 2026-03-01, 2026-03-01T08:00:00Z or 2026-03-01 08:00:00.123+02:00; without a zone it is UTC',
  });
}

const MAX_REGEX_BYTES = 1024;
/** Compiling a pattern unrolls its repetition counts, so their sum bounds its size. */
const MAX_REGEX_REPEATS = 2000;

function checkRegex(name: string, value: string, patterns: CallPatterns): void {
  if (Buffer.byteLength(value) > MAX_REGEX_BYTES)
    throw invalid(name, `must be a regular expression of at most ${MAX_REGEX_BYTES} bytes`, {
      max_bytes: MAX_REGEX_BYTES,
    });
  if (repeatsOf(value) > MAX_REGEX_REPEATS)
    throw invalid(name, 'repeats too much', { hint: `the counts in braces may add up to ${MAX_REGEX_REPEATS}` });
  const limit = compileRegex(name, value, patterns);
  if (limit !== null) throw invalid(name, `is too large: ${limit}`, { hint: 'write a shorter pattern' });
}

function compileRegex(name: string, value: string, patterns: CallPatterns): string | null {
  try {
    return patterns.compileValue(value);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw invalid(name, `is not a valid regular expression: ${error.getDescription()}`, regexDetails(value, error));
  }
}

function repeatsOf(pattern: string): number {
  let sum = 0;
  for (const [, low, high] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) sum += Number(high || low);
  return sum;
}

/** RE2 reports the part of the pattern that is invalid. Its position is known only if the part occurs once. */
function regexDetails(pattern: string, error: RE2JSSyntaxException): ErrorDetails {
  const part = error.getPattern() ?? '';
  const at = part === '' || part === pattern ? -1 : pattern.indexOf(part);
  const isUnique = at >= 0 && pattern.indexOf(part, at + 1) < 0;
  return {
    ...(isUnique ? { position: { line: 1, column: at + 1 } } : {}),
    hint: 'patterns use RE2 syntax: no look-around and no back-references',
  };
}

function invalid(name: string, reason: string, details: ErrorDetails): ServiceError {
  return new ServiceError('parameter_invalid', `The parameter "${name}" ${reason}.`, { parameter: name, ...details });
}
