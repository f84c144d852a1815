/**
 * Converts a result to the frame that its consumer needs: for a panel by the chosen format, for an expression or alert
 * rule always typed numbers.
 */
import type { LevelSettings } from '#contract/plugin/levels';
import type { QueryFormat } from '#contract/plugin/query';
import { PluginError } from '../../service-client/failures/plugin-error';
import { type Buckets, MAX_PANEL_BUCKETS, MAX_RULE_BUCKETS, type Unfilled } from './bucket-starts';
import { columnAsText, integersOf } from '../column-data';
import type { Column, Frame, FrameField, FrameMeta } from '../frame';
import { isNumeric } from '../frame';
import { isLogs, logLines, MAX_LOG_LINES } from './logs';
import { numbers } from './numbers';
import type { ResultColumns } from '../read-result';
import { rememberLast } from '../remember-last';
import { isTimeSeries, listColumns, type SeriesFields, timeSeries, withSeriesLabel } from './time-series';

export interface ShapeOptions {
  readonly refId: string;
  /** Name of the frame, which is that of the endpoint. */
  readonly name: string;
  readonly format: QueryFormat;
  /** Whether an expression or an alert rule reads the frame; these accept numbers only. */
  readonly needsNumbers: boolean;
  readonly levels?: LevelSettings;
  /** Buckets of a time series; undefined: unknown. */
  readonly buckets?: Buckets;
  /** Regular expressions to highlight in log lines. */
  readonly searchWords?: readonly string[];
  /** The row limit in effect. */
  readonly limit: number;
  readonly meta: FrameMeta;
}

/** Grafana ignores declared frame types unless the version is not zero. */
const DATAPLANE_VERSION = [0, 1] as const;

/** @throws PluginError `shape_unfit` */
export function shapeResult(result: ResultColumns, options: ShapeOptions): Frame {
  const { format, needsNumbers, levels, buckets, searchWords, limit, refId, name, meta } = options;
  const detail = JSON.stringify([format, needsNumbers, levels, buckets, searchWords, limit]);
  const { fields, length, own, notices } =
    made.get(result, detail) ?? made.set(result, detail, shapeOf(result, options));
  return {
    refId,
    name,
    fields,
    length,
    meta: {
      ...meta,
      ...own,
      ...(notices?.length ? { notices: [...(meta.notices ?? []), ...notices] } : {}),
      custom: { ...meta.custom, ...own.custom },
    },
  };
}

/** The parts of a frame that depend on the rows. */
interface Shape extends SeriesFields {
  readonly own: FrameMeta;
  readonly notices?: FrameMeta['notices'];
}

type RowOptions = Omit<ShapeOptions, 'refId' | 'name' | 'meta'>;

const made = rememberLast<ResultColumns, Shape>();

function shapeOf(result: ResultColumns, options: RowOptions): Shape {
  if (options.needsNumbers) return numberShape(result, options);
  switch (formatOf(result, options.format)) {
    case 'time_series':
      return panelSeries(result, options);
    case 'logs':
      return logsShape(result, options);
    case 'table':
      return {
        fields: result.columns.map(tableColumn),
        length: result.length,
        own: { type: 'table', typeVersion: [0, 0], preferredVisualisationType: 'table' },
      };
  }
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Days become texts, and so do a column with a larger integer, which browsers round, and one with a time beyond the
 * years of Grafana's times.
 */
function tableColumn(column: Column): Column {
  if (column.isDays || column.outside) return columnAsText(column);
  if (column.kind !== 'integer') return column;
  const isLarge = integersOf(column).some((value) => value > MAX_SAFE || value < -MAX_SAFE);
  return isLarge ? columnAsText(column) : column;
}

/** Frame without data that reports the executed query. */
export function fieldlessFrame({ refId, name, meta }: Pick<ShapeOptions, 'refId' | 'name' | 'meta'>): Frame {
  return { refId, name, meta, fields: [], length: 0 };
}

function formatOf(result: ResultColumns, format: QueryFormat): Exclude<QueryFormat, 'auto'> {
  if (format !== 'auto') return format;
  if (isLogs(result)) return 'logs';
  return isTimeSeries(result) ? 'time_series' : 'table';
}

function numberShape(result: ResultColumns, options: RowOptions): Shape {
  if (options.format === 'logs' || (options.format === 'auto' && isLogs(result)) || !result.columns.some(isNumeric))
    throw new PluginError(
      'shape_unfit',
      `Alert rules and expressions need numbers; this query returns ${listColumns(result.columns)}.`,
      {
        status: 400,
        hint: 'count the rows in SQL or LQL, for example c:count(*) c:group_by(t::minute), with the format Time series',
      }
    );
  const shape: Shape = isTimeSeries(result)
    ? seriesShape(result, options)
    : { ...numbers(result), own: { type: 'numeric-wide', typeVersion: DATAPLANE_VERSION } };
  // Grafana takes only a frame without fields for no data: the sum of a series without rows would be 0.
  const isEmpty = shape.length === 0 || (result.length === 0 && !shape.fields.some(hasNumber));
  return isEmpty ? { ...shape, fields: [], length: 0 } : { ...shape, fields: withSeriesLabel(shape.fields) };
}

function hasNumber(field: FrameField): boolean {
  return isNumeric(field) && field.data.nullCount < field.data.length;
}

function logsShape(result: ResultColumns, { levels, limit, searchWords }: RowOptions): Shape {
  const { fields, length, timelessRows } = logLines(result, levels);
  const isCut = result.length > MAX_LOG_LINES;
  const cut = isCut ? [warning(`Only the first ${MAX_LOG_LINES} log lines are shown.`)] : [];
  return {
    fields,
    length,
    own: {
      type: 'log-lines',
      preferredVisualisationType: 'logs',
      custom: { limit: Math.min(limit, MAX_LOG_LINES), ...(searchWords?.length ? { searchWords } : {}) },
    },
    notices: [...cut, ...withoutTime(timelessRows)],
  };
}

type Notices = NonNullable<FrameMeta['notices']>;

const warning = (text: string): Notices[number] => ({ severity: 'warning', text });

function withoutTime(rows: number): Notices {
  if (rows === 0) return [];
  const what = rows === 1 ? 'A row without a time is' : `${rows} rows without a time are`;
  return [warning(`${what} not shown; times before 1677 and after 2262 count as none. The format Table has all rows.`)];
}

/** A panel can show the rows as they are, an alert rule cannot. */
function panelSeries(result: ResultColumns, options: RowOptions): Shape {
  try {
    return seriesShape(result, options);
  } catch (error) {
    if (!(error instanceof PluginError) || error.facts.hint?.includes('the format Table')) throw error;
    const hint = [error.facts.hint, 'or choose the format Table'].join(', ');
    throw new PluginError(error.code, error.message, { ...error.facts, hint });
  }
}

function seriesShape(result: ResultColumns, { buckets, needsNumbers }: RowOptions): Shape {
  const { fields, length, timelessRows, unfilled } = timeSeries(result, buckets);
  if (unfilled === 'too_many' && needsNumbers) throw tooManyBuckets();
  return {
    fields,
    length,
    own: { type: 'timeseries-wide', typeVersion: DATAPLANE_VERSION, preferredVisualisationType: 'graph' },
    notices: [...withoutTime(timelessRows), ...(unfilled ? [warning(UNFILLED[unfilled])] : [])],
  };
}

const UNFILLED: Readonly<Record<Unfilled, string>> = {
  too_many: `Empty buckets are not filled with zeros: the time range has more than ${MAX_PANEL_BUCKETS} buckets. Make them wider.`,
  unfit: 'Empty buckets are not filled with zeros: the times of the rows are not starts of buckets of one width.',
};

/** Without the zeros, a mean of counts would be too high. */
function tooManyBuckets(): PluginError {
  return new PluginError(
    'shape_unfit',
    `The time range has more than ${MAX_RULE_BUCKETS} buckets, which are too many to fill with zeros.`,
    { status: 400, hint: 'make the buckets wider, or shorten the time range' }
  );
}
