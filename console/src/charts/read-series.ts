/** Series of a result: its first time column, and its columns of numbers, by the texts beside them. */
import type { ResultField } from '#contract/queries/result';
import type { Row, Value } from '../api/run-query';
import { isNumberType, millisOf, plainText } from '../results/values/format-value';
import { REVERSING } from '../texts/reversing';

export interface Line {
  readonly name: string;
  readonly values: ReadonlyArray<number | null>;
}

export interface Series {
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** Type of the column of times. DATETIME and DATE have no zone: they are shown as they are. */
  readonly timeType: string;
  readonly lines: readonly Line[];
  /** Lines that are left out. */
  readonly hiddenLines: number;
}

/** More lines would need colors that look alike. */
const MAX_LINES = 8;
/** More different texts are no groups. */
const MAX_GROUPS = 100;

const MAX_NAME_LENGTH = 60;

const { compare: compareNames } = new Intl.Collator(undefined, { numeric: true });

interface Point {
  readonly row: Row;
  readonly millis: number;
}

/** @returns null: the result has no time, no numbers, or several rows of one time and group */
export function readSeries(columns: readonly ResultField[], rows: readonly Row[]): Series | null {
  const time = columns.find(({ type }) => type === 'TIMESTAMP' || type === 'DATETIME' || type === 'DATE');
  const numbers = columns.filter(({ type }) => isNumberType(type));
  if (time === undefined || numbers.length === 0 || rows.length < 2) return null;
  const points = rows
    .map((row) => ({ row, millis: millisOf(row[time.name] ?? null, time.type) }))
    .filter((point): point is Point => point.millis !== null)
    .sort((a, b) => a.millis - b.millis);
  const isGrouped = points.some(({ millis }, at) => millis === points[at - 1]?.millis);
  const lines = isGrouped ? groupedLines(columns, numbers, points) : plainLines(numbers, points);
  if (lines === null) return null;
  return {
    times: [...new Set(points.map(({ millis }) => millis))].map((millis) => millis / 1000),
    timeType: time.type,
    lines: lines.slice(0, MAX_LINES),
    hiddenLines: Math.max(0, lines.length - MAX_LINES),
  };
}

function plainLines(numbers: readonly ResultField[], points: readonly Point[]): readonly Line[] {
  return numbers.map(({ name }) => ({ name, values: points.map(({ row }) => numberOf(row[name])) }));
}

/**
 * A line for each group, the largest first: counts by level and minute have a row for each pair. Groups of one size are
 * by name, so that their colors do not depend on the order of rows.
 */
function groupedLines(
  columns: readonly ResultField[],
  numbers: readonly ResultField[],
  points: readonly Point[]
): readonly Line[] | null {
  const texts = columns.filter(({ type }) => type === 'STRING' || type === 'BOOL');
  // A number may tell rows apart, too: statuses of responses.
  const choices = [
    { keys: texts, values: numbers },
    { keys: [...texts, ...numbers.slice(0, 1)], values: numbers.slice(1) },
  ];
  for (const { keys, values } of choices) {
    const groups = keys.length === 0 || values.length === 0 ? null : groupsOf(keys, points);
    if (groups !== null) return linesOf(groups, values, points);
  }
  return null;
}

type Groups = ReadonlyMap<string, ReadonlyMap<number, Row>>;

/** @returns rows by group and time; null where these do not tell rows apart, or hardly any rows share a group */
function groupsOf(keys: readonly ResultField[], points: readonly Point[]): Groups | null {
  const groups = new Map<string, Map<number, Row>>();
  for (const { row, millis } of points) {
    const name = keys.map((key) => labelOf(row[key.name] ?? null)).join(', ');
    let group = groups.get(name);
    if (group === undefined) groups.set(name, (group = new Map<number, Row>()));
    if (group.has(millis) || groups.size > MAX_GROUPS) return null;
    group.set(millis, row);
  }
  return 3 * groups.size <= 2 * points.length ? groups : null;
}

const labelOf = (value: Value): string => (value === null ? 'NULL' : plainText(value));

function linesOf(groups: Groups, columns: readonly ResultField[], points: readonly Point[]): readonly Line[] {
  const times = [...new Set(points.map(({ millis }) => millis))];
  const lines = [...groups].flatMap(([group, rows]) =>
    columns.map((column) => ({
      name: columns.length === 1 ? shownName(group) : `${shownName(group)} ${column.name}`,
      values: times.map((millis) => {
        const row = rows.get(millis);
        return row === undefined ? emptyOf(column) : numberOf(row[column.name]);
      }),
    }))
  );
  const total = ({ values }: Line): number => values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0);
  return lines
    .map((line) => ({ line, size: total(line) }))
    .sort((a, b) => b.size - a.size || compareNames(a.line.name, b.line.name))
    .map(({ line }) => line);
}

/** A legend has room for a short text, and nothing in it marks characters that reverse what follows. */
function shownName(group: string): string {
  const text = group.replace(REVERSING, '\ufffd');
  return text.length <= MAX_NAME_LENGTH ? text : `${text.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}

/** A group without a row at a time has no events there. */
function emptyOf({ name, type }: ResultField): number | null {
  return type === 'INT64' && /count/i.test(name) ? 0 : null;
}

function numberOf(value: Value | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
