/**
 * Converts columns to a wide time series frame of declared type: time first, then one value field per series. Text and
 * boolean columns become labels, which turns one row per time and label set into one row per time.
 */
import { PluginError } from '../../service-client/failures/plugin-error';
import { dataOf, integersOf, valueAt } from '../column-data';
import { type Column, type FieldConfig, type FrameField, isNumeric } from '../frame';
import type { ResultColumns } from '../read-result';
import { inTimeOrder } from './time-order';
import { type Buckets, bucketStarts } from './bucket-starts';
import { labelText } from './label-text';

/** More series are unreadable in a graph, and each one is an instance of an alert rule. */
const MAX_SERIES = 1_000;

export interface SeriesFields {
  readonly fields: readonly FrameField[];
  readonly length: number;
}

export function isTimeSeries({ columns }: ResultColumns): boolean {
  return columns.some(({ kind }) => kind === 'time') && columns.some(isNumeric);
}

/** @param buckets undefined: unknown width */
export function timeSeries({ columns, length }: ResultColumns, buckets?: Buckets): SeriesFields {
  const timeAt = columns.findIndex(({ kind }) => kind === 'time');
  const time = columns[timeAt];
  if (!time || !columns.some(isNumeric))
    throw new PluginError(
      'shape_unfit',
      `A time series needs a column of times and one of numbers; this query returns ${listColumns(columns)}.`,
      { status: 400, hint: 'choose the format Table or Logs, or aggregate: count(*) by time' }
    );
  const ordered = inTimeOrder(time, columns, length);
  const orderedTime = ordered.columns[timeAt] as Column;
  const values = ordered.columns.filter(isNumeric);
  const dimensions = ordered.columns.filter(({ kind }) => kind === 'string' || kind === 'boolean');
  const times = bucketStarts(orderedTime, ordered.length, buckets);
  const timeField = { ...orderedTime, ...(buckets ? { config: { interval: buckets.seconds * 1000 } } : {}) };
  const absent = buckets?.zeros === undefined ? null : 0;
  if (dimensions.length > 0) return pivot({ time: timeField, times, absent }, dimensions, values, ordered.length);
  ensureOneRowPerTime(orderedTime, ordered.length);
  return {
    fields: atTimes(timeField, times, absent, values).map((field) =>
      isNumeric(field) ? { ...field, config: valueConfig(field.name) } : field
    ),
    length: times?.length ?? ordered.length,
  };
}

/** @param times undefined: the times of the rows */
function atTimes(
  time: FrameField,
  times: readonly bigint[] | undefined,
  absent: 0 | null,
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
        rows.map((row) => (row === undefined ? zeroOf(column, absent) : get(row)))
      ),
    };
  });
  return [{ ...time, data: dataOf('time', times) }, ...filled];
}

function zeroOf({ kind }: Pick<Column, 'name' | 'kind'>, absent: 0 | null): unknown {
  return absent === 0 && kind === 'integer' ? 0n : absent;
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
  /** Value for times at which a series has no row. */
  readonly absent: 0 | null;
}

function pivot(
  { time, times: given, absent }: PivotTimes,
  dimensions: readonly Column[],
  values: readonly Column[],
  length: number
): SeriesFields {
  const times: bigint[] = [...(given ?? [])];
  const slots = new Map(times.map((at, slot) => [at, slot]));
  const series = new Map<string, { labels: Record<string, string>; cells: Map<number, unknown>[] }>();
  const rowTimes = integersOf(time);
  const labelsOf = dimensions.map((column) => labelText(column, length));
  const valueOf = values.map(valueAt);
  for (let row = 0; row < length; row++) {
    const at = rowTimes[row]!;
    const slot = slots.get(at) ?? times.push(at) - 1;
    slots.set(at, slot);
    const parts = labelsOf.map((labelOf) => labelOf(row));
    const key = JSON.stringify(parts);
    let one = series.get(key);
    if (!one) {
      const labels = Object.fromEntries(dimensions.map(({ name }, index) => [name, parts[index] ?? '']));
      one = { labels, cells: values.map(() => new Map<number, unknown>()) };
      series.set(key, one);
    }
    if (one.cells[0]?.has(slot)) throw doubledPoint(dimensions);
    one.cells.forEach((cells, index) => cells.set(slot, valueOf[index]?.(row) ?? null));
  }
  if (series.size > MAX_SERIES)
    throw new PluginError(
      'shape_unfit',
      `This query returns ${series.size} series; at most ${MAX_SERIES} can be shown.`,
      {
        status: 400,
        hint: 'group by a column with fewer values',
      }
    );
  const found = [...series.values()];
  // Without rows the value fields stay without labels, so that the frame keeps its shape.
  const shown = found.length > 0 ? found : [{ labels: {}, cells: values.map(() => new Map<number, unknown>()) }];
  const fields = shown.flatMap(({ labels, cells }) =>
    values.map(({ name, kind }, index): FrameField => {
      const cell = cells[index]!;
      const column = times.map((_, slot) => (cell.has(slot) ? cell.get(slot) : zeroOf({ name, kind }, absent)));
      return { name, kind, data: dataOf(kind, column), labels };
    })
  );
  return { fields: [{ ...time, data: dataOf('time', times) }, ...fields], length: times.length };
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
  const key = fields.some(({ labels }) => labels && 'series' in labels) ? 'value' : 'series';
  return fields.map((field) =>
    isNumeric(field)
      ? { ...field, labels: { ...field.labels, [key]: field.config?.displayNameFromDS ?? field.name } }
      : field
  );
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
