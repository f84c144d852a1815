/**
 * Validates patterns at compile time: RE2 in JavaScript accepts what RE2 in the stores accepts, with few exceptions.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { PatternBudget } from '#contract/pattern-limits';
import type { CallExpression } from '../../../ast';
import type { BoundExpr } from '../../../ir/expression';
import { STRING } from '../../../ir/types';
import { typedArgument } from '../../arguments';
import type { CallContext, Value } from '../../function';
import { foreignForm } from './foreign-pattern';
import { patternFacts, PLAIN_PATTERN, type PatternFacts } from './pattern-facts';

const MAX_PATTERN_BYTES = 1024;
/** Maximum number of instructions of a compiled pattern: `(x{100}){10}` is short but expensive. */
const MAX_PROGRAM = 10_000;

export interface Pattern {
  readonly value: Value;
  readonly facts: PatternFacts;
}

/**
 * Pattern of a call, its second argument. A NULL pattern has no groups and makes the call NULL. Only constants are
 * allowed, because stores compile a constant once but a column's pattern for every row.
 * @throws not_constant, bad_regex, too_complex
 */
export function patternArgument(call: CallExpression, ctx: CallContext): Pattern {
  const value = typedArgument(call, ctx, 1, STRING);
  const constant = ctx.constant(value);
  if (constant === undefined) {
    return ctx.fail(
      'not_constant',
      `the pattern of ${call.name} must be a constant`,
      value.position,
      'write a literal or a parameter; to look for the text of a column use STRPOS or LIKE'
    );
  }
  if (constant.value === null) return { value, facts: PLAIN_PATTERN };
  const checked = check(String(constant.value), ctx.patterns);
  if (!(checked instanceof RE2JS) && call.safe && checked.reason === 'bad_regex') return noPattern(value);
  if (!(checked instanceof RE2JS)) {
    return ctx.fail(checked.reason, checked.message, value.position, checked.hint);
  }
  return {
    value: withoutNames(value, String(constant.value)),
    // Not every function needs the facts, which take as long as the rest of a short query.
    get facts() {
      return patternFacts(checked);
    },
  };
}

/**
 * A group that a store cannot read: DuckDB wants a P before the name, ClickHouse finds no match for an underscore in
 * it.
 */
const NAMED = /\(\?(?:<\w|P<\w*_)/;
/** A literal text, an escape, a class of characters, or the beginning of a named group. */
const PART = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|(\(\?P?<\w+>)/g;

/** The pattern without names of groups, which change no match, where a store cannot read them. */
function withoutNames(value: Value, pattern: string): Value {
  if (!NAMED.test(pattern)) return value;
  const plain = pattern.replace(PART, (part, named?: string) => (named === undefined ? part : '('));
  return { ...value, expr: writtenPattern(plain) };
}

/** A pattern that was made of another one, bound like any constant of the text. */
export function writtenPattern(pattern: string): BoundExpr {
  const value = { type: 'STRING', value: pattern } as const;
  return { kind: 'bound', key: `regexp:${pattern}`, type: STRING, value, failure: null };
}

/** Makes the call NULL. */
export function noPattern(value: Value): Pattern {
  return { value: { ...value, expr: { kind: 'literal', type: STRING, value: null } }, facts: PLAIN_PATTERN };
}

export interface PatternProblem {
  readonly reason: 'bad_regex' | 'too_complex';
  readonly message: string;
  readonly hint?: string;
}

/** Reason why a pattern cannot be run; null if it can. */
export function patternProblem(pattern: string, budget: PatternBudget): PatternProblem | null {
  const checked = check(pattern, budget);
  return checked instanceof RE2JS ? null : checked;
}

function check(pattern: string, budget: PatternBudget): RE2JS | PatternProblem {
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES) {
    const maximum = MAX_PATTERN_BYTES.toLocaleString('en-US');
    return { reason: 'too_complex', message: `a regular expression is longer than ${maximum} bytes` };
  }
  const limit = budget.take(pattern);
  if (limit !== null) return { reason: 'too_complex', message: limit };
  try {
    const compiled = RE2JS.compile(pattern);
    if (compiled.programSize() <= MAX_PROGRAM) return compiled;
    return { reason: 'too_complex', message: 'a regular expression repeats too much' };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return describe(error, pattern);
  }
}

function describe(error: RE2JSSyntaxException, pattern: string): PatternProblem {
  const { error: problem, input } = error as unknown as { error: string; input: string | null };
  const at = input === null || input === '' ? -1 : pattern.indexOf(input);
  const foreign = at === -1 ? undefined : foreignForm(pattern.slice(at));
  const place = at === -1 ? '' : ` at character ${at + 1}`;
  if (foreign === undefined) return { reason: 'bad_regex', message: `invalid regular expression: ${problem}${place}` };
  const message = `invalid regular expression: ${foreign.name}${place}, which RE2 does not have`;
  return { reason: 'bad_regex', message, hint: foreign.hint };
}
