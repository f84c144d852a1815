/**
 * Converts columns to a wide time series frame of declared type: time first, then one value field per series. Text and
 * boolean columns become labels, which turns one row per time and label set into one row per time.
 */
import { PluginError } from '../../service-client/failures/plugin-error';
import { dataOf, integersOf, valueAt } from '../column-data';
import { type Column, type FieldConfig, type FrameField, isNumeric } from '../frame';
import type { ResultColumns } from '../read-result';
import { inTimeOrder } from './time-order';
import { type Buckets, bucketStarts, type Unfilled } from './bucket-starts';
import { labelText } from './label-text';

/** More series are unreadable in a graph, and each one is an instance of an alert rule. */
const MAX_SERIES = 1_000;
/** Each series has a value for each time, so that rows with times of their own take the square of their memory. */
const MAX_POINTS = 5_000_000;

export interface SeriesFields {
  readonly fields: readonly FrameField[];
  readonly length: number;
}

export interface TimeSeries extends SeriesFields {
  /** Rows whose time is null. */
  readonly timelessRows: number;
  /** Why empty buckets stay gaps although they are to be filled. */
  readonly unfilled: Unfilled | undefined;
}

export function isTimeSeries({ columns }: ResultColumns): boolean {
  return columns.some(({ kind }) => kind === 'time') && columns.some(isNumeric);
}

/** Columns whose values become labels. */
export const isDimension = ({ kind }: Column): boolean => kind === 'string' || kind === 'boolean';

/** @param buckets undefined: unknown width */
export function timeSeries({ columns, length }: ResultColumns, buckets?: Buckets): TimeSeries {
  const time = columns.find(({ kind }) => kind === 'time');
  if (!time || !columns.some(isNumeric))
    throw new PluginError(
      'shape_unfit',
      `A time series needs a column of times and one of numbers; this query returns ${listColumns(columns)}.`,
      { status: 400, hint: 'choose the format Table or Logs, or aggregate: count(*) by time' }
    );
  const used = columns.filter((column) => column === time || isNumeric(column) || isDimension(column));
  const ordered = inTimeOrder(time, used, length);
  const orderedTime = ordered.columns[used.indexOf(time)] as Column;
  const values = ordered.columns.filter(isNumeric);
  const dimensions = ordered.columns.filter(isDimension);
  const starts = bucketStarts(orderedTime, ordered.length, buckets);
  const times = typeof starts === 'string' ? undefined : starts;
  const timeField = { ...orderedTime, ...(buckets ? { config: { interval: buckets.seconds * 1000 } } : {}) };
  const zeroed = buckets?.zeros === undefined ? NONE : additiveNames(columns, buckets.additivity);
  const facts = {
    timelessRows: length - ordered.length,
    unfilled: typeof starts === 'string' ? starts : undefined,
  };
  if (dimensions.length > 0)
    return { ...pivot({ time: timeField, times, zeroed }, dimensions, values, ordered.length), ...facts };
  ensureOneRowPerTime(orderedTime, ordered.length);
  return {
    fields: atTimes(timeField, times, zeroed, values).map((field) =>
      isNumeric(field) ? { ...field, config: valueConfig(field.name) } : field
    ),
    length: times?.length ?? ordered.length,
    ...facts,
  };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Names of the columns that are zero where there is no row. Without a text that tells, whole numbers are counts, and
 * others may be averages.
 */
function additiveNames(columns: readonly Column[], given: Buckets['additivity'] = []): ReadonlySet<string> {
  const additivity = given.length <= columns.length ? given : [];
  const start = columns.length - additivity.length;
  const isAdditive = ({ kind }: Column, at: number): boolean => additivity[at - start] ?? kind === 'integer';
  return new Set(columns.filter(isAdditive).map(({ name }) => name));
}

/** @param times undefined: the times of the rows */
function atTimes(
  time: FrameField,
  times: readonly bigint[] | undefined,
  zeroed: ReadonlySet<string>,
  values: readonly Column[]
): readonly FrameField[] {
  if (times === undefined) return [time, ...values];
  const rowAt = new Map([...integersOf(time)].map((at, row) => [at, row]));
  const rows = times.map((at) => rowAt.get(at));
  const filled = values.map((column) => {
    const get = valueAt(column);
    return {
      ...column,
      data: dataOf(
        column.kind,
        rows.map((row) => (row === undefined ? absentOf(column, zeroed) : get(row)))
      ),
    };
  });
  return [{ ...time, data: dataOf('time', times) }, ...filled];
}

/** Value at a time without a row. */
function absentOf({ name, kind }: Column, zeroed: ReadonlySet<string>): unknown {
  if (!zeroed.has(name)) return null;
  return kind === 'integer' ? 0n : 0;
}

/** Rejects two points of one series at the same time: alert rules refuse them, and graphs show them as noise. */
function ensureOneRowPerTime(time: Column, length: number): void {
  const nanos = integersOf(time);
  for (let row = 1; row < length; row++) {
    if (nanos[row] !== nanos[row - 1]) continue;
    throw new PluginError('shape_unfit', 'A time series needs one row for each time; this query returns several.', {
      status: 400,
      hint: 'group by the time, or select the column that tells the rows apart as text',
    });
  }
}

interface PivotTimes {
  readonly time: FrameField;
  /** Undefined: the times of the rows. */
  readonly times: readonly bigint[] | undefined;
  /** Columns that are zero at times at which a series has no row. */
  readonly zeroed: ReadonlySet<string>;
}

/** @param length rows in time order */
function pivot(
  { time, times: given, zeroed }: PivotTimes,
  dimensions: readonly Column[],
  values: readonly Column[],
  length: number
): SeriesFields {
  const rowTimes = integersOf(time).subarray(0, length);
  const times = given ?? [...new Set(rowTimes)];
  const slots = new Map(times.map((at, slot) => [at, slot]));
  const found = seriesRows(dimensions, rowTimes);
  // Without rows the value fields stay without labels, so that the frame keeps its shape.
  const shown = found.length > 0 ? found : [{ labels: {}, rows: [] }];
  const points = shown.length * values.length * times.length;
  if (points > MAX_POINTS) throw tooManyPoints(shown.length * values.length, times.length);
  const fields = values.map((column) => {
    const get = valueAt(column);
    return shown.map(({ labels, rows }): FrameField => {
      const cells = Array<unknown>(times.length).fill(absentOf(column, zeroed));
      for (const row of rows) cells[slots.get(rowTimes[row]!)!] = get(row);
      return { name: column.name, kind: column.kind, data: dataOf(column.kind, cells), labels };
    });
  });
  const bySeries = shown.flatMap((_, index) => fields.map((each) => each[index]!));
  return { fields: [{ ...time, data: dataOf('time', times) }, ...bySeries], length: times.length };
}

interface SeriesRows {
  readonly labels: Readonly<Record<string, string>>;
  readonly rows: number[];
}

/** Rows of each series. Those of too many series are counted only, because each one takes memory. */
function seriesRows(dimensions: readonly Column[], rowTimes: BigInt64Array): readonly SeriesRows[] {
  const labelsOf = dimensions.map((column) => labelText(column, rowTimes.length));
  const indexes = new Map<string, number>();
  const found: SeriesRows[] = [];
  for (let row = 0; row < rowTimes.length; row++) {
    const parts = labelsOf.map((labelOf) => labelOf(row));
    const key = JSON.stringify(parts);
    const index = indexes.get(key) ?? indexes.size;
    if (index === indexes.size) {
      indexes.set(key, index);
      if (index < MAX_SERIES)
        found.push({ labels: Object.fromEntries(dimensions.map(({ name }, at) => [name, parts[at] ?? ''])), rows: [] });
    }
    const rows = found[index]?.rows;
    const before = rows?.at(-1);
    if (before !== undefined && rowTimes[before] === rowTimes[row]) throw doubledPoint(dimensions);
    rows?.push(row);
  }
  if (indexes.size > MAX_SERIES)
    throw new PluginError(
      'shape_unfit',
      `This query returns ${indexes.size} series; at most ${MAX_SERIES} can be shown.`,
      {
        status: 400,
        hint: 'group by a column with fewer values',
      }
    );
  return found;
}

function tooManyPoints(series: number, times: number): PluginError {
  return new PluginError(
    'shape_unfit',
    `This query returns ${series} series and ${times} times, which are ${series * times} points; at most ${MAX_POINTS} can be shown.`,
    {
      status: 400,
      hint: 'group by the time in buckets',
    }
  );
}

function doubledPoint(dimensions: readonly Column[]): PluginError {
  const names = dimensions.map(({ name }) => `"${name}"`).join(', ');
  return new PluginError(
    'shape_unfit',
    `A time series needs one row for each time and ${names}; this query returns several.`,
    {
      status: 400,
      hint: 'group by the time and these columns',
    }
  );
}

/**
 * Adds a label that distinguishes several values of one label set. Alert rules identify results by labels only and
 * refuse duplicates. In graphs the field names suffice, and a label would only lengthen them.
 */
export function withSeriesLabel(fields: readonly FrameField[]): readonly FrameField[] {
  if (new Set(fields.filter(isNumeric).map(({ name }) => name)).size < 2) return fields;
  const taken = new Set(fields.flatMap(({ labels = {} }) => Object.keys(labels)));
  const key = taken.has('series') ? freeLabel('value', taken) : 'series';
  return fields.map((field) =>
    isNumeric(field)
      ? { ...field, labels: { ...field.labels, [key]: field.config?.displayNameFromDS ?? field.name } }
      : field
  );
}

function freeLabel(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`;
  return name;
}

/** Displays `total_rest_requests` of the usage endpoint as `Rest`. */
export function valueConfig(name: string): FieldConfig | undefined {
  const area = /^total_([a-z]+)_requests$/.exec(name)?.[1];
  if (!area) return undefined;
  return { displayNameFromDS: `${area.charAt(0).toUpperCase()}${area.slice(1)}` };
}

export function listColumns(columns: readonly Column[]): string {
  if (columns.length === 0) return 'no columns';
  const shown = columns.slice(0, 8).map(({ name, kind }) => `${name} (${kind})`);
  return columns.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}
