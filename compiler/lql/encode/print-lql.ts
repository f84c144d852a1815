/**
 * Prints an LQL tree in canonical form, so that query builder and code editor can exchange queries: table, columns,
 * filters grouped by path in order of first use, aggregates, period, groups, separated by one blank. Parsing the text
 * gives the same tree, except for the order of filters and positions.
 */
import {
  OPERATOR_WORD,
  type AggregateRule,
  type BucketRule,
  type FieldFilter,
  type FieldTest,
  type FilterRule,
  type LqlQuery,
  type MessageFilter,
  type Scalar,
  type SelectRule,
} from '../rules';
import { classifyBare } from '../parser/classify';
import { UNITS } from '../time/units';
import { printEquality } from './print-equality';
import { printPath } from './print-path';
import { printTable, printText, quote } from './print-text';
import { printTimeTest } from './print-time';

export function printLql({ from, selects, filters, chart }: LqlQuery): string {
  return [
    ...(from === null ? [] : [`f:${printTable(from.name.name)}`]),
    ...selects.map(printSelect),
    ...grouped(filters).map(printFilter),
    ...(chart === null
      ? []
      : [
          ...chart.aggregates.map(printAggregate),
          `c:group_by(t::${printPeriod(chart.bucket)})`,
          ...chart.groups.map((path) => `c:group_by(${printPath(path)})`),
        ]),
  ].join(' ');
}

function printSelect({ path, alias }: SelectRule): string {
  return `s:${path === null ? '*' : printPath(path)}${alias === null ? '' : `@${alias.name}`}`;
}

function printAggregate({ aggregate, path }: AggregateRule): string {
  return `c:${aggregate}(${path === null ? '*' : printPath(path)})`;
}

function printPeriod({ count, unit }: BucketRule): string {
  // Services that came before know no name for a week.
  return count === 1 && unit !== 'week' ? unit : `${count}${UNITS[unit].letter}`;
}

/** Groups filters of one path at the position of the first. */
function grouped(filters: readonly FilterRule[]): readonly FilterRule[] {
  const byPath = new Map<string, FilterRule[]>();
  for (const filter of filters) {
    const key = pathText(filter);
    byPath.set(key, [...(byPath.get(key) ?? []), filter]);
  }
  return [...byPath.values()].flat();
}

function pathText(filter: FilterRule): string {
  switch (filter.kind) {
    case 'message':
      return 'event_message';
    case 'time':
      return 't';
    case 'field':
      return printPath(filter.path);
  }
}

function printMessageTest({ test, text: { text } }: MessageFilter): string {
  if (test === 'regex') return `~${printText(text)}`;
  // Quotes say that the word is meant.
  return OPERATOR_WORD.test(text) ? quote(text) : printText(text);
}

function printFilter(filter: FilterRule): string {
  const minus = filter.negated ? '-' : '';
  switch (filter.kind) {
    case 'message':
      return minus + printMessageTest(filter);
    case 'time':
      return `${minus}t:${printTimeTest(filter.test)}`;
    case 'field':
      return printFieldFilter(filter);
  }
}

function printFieldFilter({ path, test, negated }: FieldFilter): string {
  const isEquality = test.kind === 'compare' ? test.operator === '=' : !hasOwnOperator(test);
  if (isEquality) return printEquality(printPath(path), printTest(test), negated);
  return `${negated ? '-' : ''}${printPath(path)}:${printTest(test)}`;
}

function hasOwnOperator({ kind }: FieldTest): boolean {
  return kind === 'regex' || kind === 'includes' || kind === 'includes-regex';
}

function printTest(test: FieldTest): string {
  switch (test.kind) {
    case 'compare':
      return `${test.operator === '=' ? '' : test.operator}${printScalar(test.value)}`;
    case 'range':
      return `${test.low.text}..${test.high.text}`;
    case 'levels':
      return `${test.low}..${test.high}`;
    case 'in':
      return `in(${test.items.map(printScalar).join(',')})`;
    case 'null':
      return 'NULL';
    case 'regex':
      return `~${printText(test.pattern.text)}`;
    case 'includes':
      return `@>${printScalar(test.value)}`;
    case 'includes-regex':
      return `@>~${printText(test.pattern.text)}`;
  }
}

/** Prints numbers, booleans and dates without quotes, and quotes texts that would be read as one of these. */
function printScalar(value: Scalar): string {
  if (value.type !== 'string') return value.text;
  const isText = value.text !== 'NULL' && classifyBare(value.text, value.position).type === 'string';
  return isText ? printText(value.text) : quote(value.text);
}
