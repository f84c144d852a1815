/** Parses filters: on the message, on `timestamp`, and on other columns or paths. */
import type { SourcePosition } from '../../ast';
import { lqlError } from '../errors';
import type { Comparison, FieldFilter, FieldTest, LqlPath, MessageFilter, Scalar, Text, TimeFilter } from '../rules';
import { readTimeTest } from '../time/read-time-test';
import { checkRegex } from './check-regex';
import { classifyBare, classifyRange, isLevel } from './classify';
import { readInList } from './read-in-list';
import type { Operator } from './read-operator';
import type { Reader } from './reader';

const COMPARISONS: Readonly<Partial<Record<Operator, Comparison>>> = {
  ':': '=',
  ':!=': '=',
  ':>': '>',
  ':>=': '>=',
  ':<': '<',
  ':<=': '<=',
};

/** `word`, `"words"`, `~regex`, `~"regex"`. */
export function readMessageFilter(reader: Reader, start: number, negated: boolean): MessageFilter {
  const isRegex = reader.accept('~');
  const text = readText(reader, isRegex ? 'a regular expression after "~"' : 'a word');
  if (isRegex) checkRegex(text, reader);
  return { kind: 'message', negated, test: isRegex ? 'regex' : 'contains', text, position: reader.position(start) };
}

/** Parses the value after a path and an operator. */
export function readFilter(
  reader: Reader,
  start: number,
  minus: boolean,
  path: LqlPath,
  operator: Operator
): FieldFilter | TimeFilter {
  const negated = minus !== (operator === ':!=');
  if (isTimePath(path)) {
    return { kind: 'time', negated, test: readTime(reader, operator), position: reader.position(start) };
  }
  if (operator === ':' && path.parts.length === 1 && reader.at('//')) throw webAddress(reader, start);
  return { kind: 'field', negated, path, test: readField(reader, path, operator), position: reader.position(start) };
}

function isTimePath({ parts }: LqlPath): boolean {
  const [first] = parts;
  return parts.length === 1 && (first?.name === 't' || first?.name === 'timestamp');
}

/** Error for `http://x`, which would otherwise be a filter on a column `http`. */
function webAddress(reader: Reader, start: number): Error {
  reader.plain();
  return lqlError('bad_field', 'this looks like a web address, not like a filter', reader.position(start), {
    hint: 'put quotes round the address to look for it, or round the value if it is a filter',
  });
}

function readTime(reader: Reader, operator: Operator): TimeFilter['test'] {
  const value = readText(reader, 'a time');
  const comparison = COMPARISONS[operator];
  if (comparison === undefined) {
    throw lqlError('bad_time', `a time filter does not take "${operator}"`, value.position, {
      hint: 'the operators of a time filter are : :!= :> :>= :< and :<=',
    });
  }
  return { ...readTimeTest(value.text, comparison, value.position), position: value.position };
}

function readField(reader: Reader, path: LqlPath, operator: Operator): FieldTest {
  if (operator === ':~') return { kind: 'regex', pattern: readRegex(reader) };
  if (operator === ':@>~') return { kind: 'includes-regex', pattern: readRegex(reader) };
  if ((operator === ':' || operator === ':!=') && reader.at('in(')) return readInList(reader);
  const value = readValue(reader);
  if ('kind' in value) return checkedRange(value, operator);
  if (value.isNull) return nullTest(operator, value.position);
  const { scalar } = value;
  if (operator === ':@>') return { kind: 'includes', value: scalar };
  const levels = isLevelPath(path) && value.isBare ? levelRange(scalar) : null;
  if (levels !== null) return checkedRange(levels, operator);
  return { kind: 'compare', operator: COMPARISONS[operator] as Comparison, value: scalar };
}

type Range = Extract<FieldTest, { kind: 'range' | 'levels' }>;
type Value =
  | Extract<FieldTest, { kind: 'range' }>
  | { readonly isNull: boolean; readonly isBare: boolean; readonly scalar: Scalar; readonly position: SourcePosition };

function readValue(reader: Reader): Value {
  const start = reader.offset;
  const delimited = readDelimited(reader) ?? readParentheses(reader);
  const text = delimited ?? reader.plain();
  const position = reader.position(start);
  if (delimited !== null) {
    return { isNull: false, isBare: false, scalar: { type: 'string', text, position }, position };
  }
  if (text === '') throw noValue(reader, 'a value');
  const isNull = text === 'NULL';
  return classifyRange(text, position) ?? { isNull, isBare: true, scalar: classifyBare(text, position), position };
}

/** `m.level:warning..critical`, `m.parsed.level:warning..critical`. */
function levelRange({ text, position }: Scalar): Extract<FieldTest, { kind: 'levels' }> | null {
  const [low = '', high = '', ...more] = text.split('..');
  return more.length === 0 && isLevel(low) && isLevel(high) ? { kind: 'levels', low, high, position } : null;
}

function isLevelPath({ parts }: LqlPath): boolean {
  return parts.at(-1)?.name === 'level';
}

function checkedRange(range: Range, operator: Operator): Range {
  if (operator === ':' || operator === ':!=') return range;
  const position = range.kind === 'levels' ? range.position : { ...range.low.position, end: range.high.position.end };
  throw lqlError('range_operator', `a range takes ":" or ":!=", not "${operator}"`, position, {
    hint: 'write path:a..b, or two filters: path:>=a path:<=b',
  });
}

function nullTest(operator: Operator, position: SourcePosition): FieldTest {
  if (operator === ':' || operator === ':!=') return { kind: 'null' };
  throw lqlError('null_operator', `NULL takes ":" or ":!=", not "${operator}"`, position, {
    hint: 'write path:NULL or -path:NULL, or "NULL" in quotes for the text',
  });
}

function readRegex(reader: Reader): Text {
  const pattern = readText(reader, 'a regular expression');
  checkRegex(pattern, reader);
  return pattern;
}

/** Reads a quoted text, or text up to white space. */
function readText(reader: Reader, wanted: string): Text {
  const start = reader.offset;
  const quoted = readDelimited(reader);
  const text = quoted ?? reader.plain();
  if (quoted === null && text === '') throw noValue(reader, wanted);
  return { text, position: reader.position(start) };
}

function readDelimited(reader: Reader): string | null {
  const text = reader.quoted();
  if (text !== null) reader.expectBoundary('the closing quote');
  return text;
}

function readParentheses(reader: Reader): string | null {
  const text = reader.parenthesised();
  if (text !== null) reader.expectBoundary('the closing parenthesis');
  return text;
}

function noValue(reader: Reader, wanted: string): Error {
  const at = Math.max(0, reader.offset - 1);
  return lqlError('bad_value', `expected ${wanted}`, reader.position(at, reader.offset), {
    hint: 'write "" for an empty text',
  });
}
