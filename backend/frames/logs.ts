/** Columns as log lines: time, body, severity when one is known, id, labels, and the exact time as text. */
import { createHash } from 'node:crypto';
import { levelLabels, levelOf, type LevelSettings } from '#contract/plugin/levels';
import { PluginError } from '../service-client/plugin-error';
import { dataOf, jsonData, textData, valueAt } from './column-data';
import { type Column, type FrameField } from './frame';
import { LabelWriter } from './label-writer';
import type { ResultColumns } from './read-result';
import { listColumns, type SeriesFields } from './time-series';

const BODY_NAMES = ['event_message', 'body', 'message', 'msg', 'line'];
const TIME_NAMES = ['timestamp', 'time'];
const LEVEL_NAMES = ['severity', 'level', 'severity_text'];

export function isLogs({ columns }: ResultColumns): boolean {
  return columns.some(({ kind }) => kind === 'time') && columns.some((column) => isBody(column, 'event_message'));
}

/** Beyond these a browser freezes; each line costs a label set in memory. */
export const MAX_LOG_LINES = 10_000;

/** The first `MAX_LOG_LINES` at most. */
export function logLines(result: ResultColumns, settings: LevelSettings = {}): SeriesFields {
  const { columns } = result;
  const time = pick(columns, TIME_NAMES, 'time') ?? columns.find(({ kind }) => kind === 'time');
  const body = pick(columns, BODY_NAMES, 'string') ?? columns.find(({ kind }) => kind === 'string');
  if (!time || !body)
    throw new PluginError('shape_unfit', `Logs need a time and a text; this query returns ${listColumns(columns)}.`, {
      status: 400,
      hint: 'select timestamp and event_message, or choose the format Table',
    });
  const rows = rowsWithTime(time, result.length);
  const level = pick(columns, LEVEL_NAMES, 'string');
  const id = columns.find(({ name, kind }) => name === 'id' && kind === 'string');
  const rest = columns.filter((column) => ![time, body, level, id].includes(column));

  const times = rows.map(valueAt(time)) as bigint[];
  const bodies = rows.map((row) => (valueAtOf(body)(row) as string | null) ?? '');
  const named = level && !settings.levelField ? valueAtOf(level) : undefined;
  const { texts, levels } = labelsOf(rest, rows, {
    wanted: levelLabels(settings),
    levelOf: (kept, row) => {
      const own = named?.(row) as string | null | undefined;
      return levelOf(own ? { ...kept, level: own } : kept, settings);
    },
  });
  const ids = id ? rows.map((row) => valueAtOf(id)(row) as string | null) : rows.map(() => null);

  const fields: FrameField[] = [
    { name: 'timestamp', kind: 'time', data: dataOf('time', times) },
    { name: 'body', kind: 'string', data: textData(bodies) },
  ];
  if (named !== undefined || levels.some((one) => one !== ''))
    fields.push({ name: 'severity', kind: 'string', data: textData(levels) });
  const stableIds = ids.map(
    (given, at) => given ?? hashOf(times[at] as bigint, bodies[at] as string, texts[at] as string)
  );
  fields.push({ name: 'id', kind: 'string', data: textData(stableIds) });
  fields.push({ name: 'labels', kind: 'json', data: jsonData(texts) });
  // Older hosts round times to milliseconds; the lines around one are asked for by this. It is of no use to people.
  fields.push({
    name: 'tsNs',
    kind: 'string',
    data: textData(times.map(String)),
    config: { custom: { hidden: true } },
  });
  return { fields, length: rows.length };
}

/** One function for each column, however many rows ask. */
const getters = new WeakMap<Column, (row: number) => unknown>();
function valueAtOf(column: Column): (row: number) => unknown {
  const known = getters.get(column) ?? valueAt(column);
  getters.set(column, known);
  return known;
}

function pick(columns: readonly Column[], names: readonly string[], kind: Column['kind']): Column | undefined {
  for (const name of names) {
    const found = columns.find((column) => column.kind === kind && column.name.toLowerCase() === name);
    if (found) return found;
  }
  return undefined;
}

function isBody({ name, kind }: Column, wanted: string): boolean {
  return kind === 'string' && name === wanted;
}

function rowsWithTime({ data }: Column, length: number): number[] {
  const rows = Array.from({ length: Math.min(length, MAX_LOG_LINES) }, (_, row) => row);
  return data.nullCount === 0 ? rows : rows.filter((row) => data.getValid(row));
}

interface LineLevels {
  /** Labels that `levelOf` reads. */
  readonly wanted: ReadonlySet<string>;
  readonly levelOf: (labels: Readonly<Record<string, string>>, row: number) => string;
}

/** Metadata has dotted keys, other columns keep their names. @returns a JSON object and a level for each row */
function labelsOf(
  columns: readonly Column[],
  rows: readonly number[],
  { wanted, levelOf: levelAt }: LineLevels
): { readonly texts: readonly string[]; readonly levels: readonly string[] } {
  const getters = columns.map((column) => ({ column, get: valueAt(column) }));
  const writer = new LabelWriter(wanted);
  const texts: string[] = [];
  const levels: string[] = [];
  for (const row of rows) {
    writer.begin();
    for (const { column, get } of getters) {
      const value = get(row);
      if (value === null) continue;
      if (column.kind === 'json') writer.addRecord(column.name, value as string);
      else writer.add(column.name, column.kind === 'time' ? isoOf(value as bigint) : String(value));
    }
    texts.push(writer.end());
    levels.push(levelAt(writer.kept, row));
  }
  return { texts, levels };
}

function hashOf(nanos: bigint, body: string, labels: string): string {
  return createHash('sha256').update(`${nanos}\n${body}\n${labels}`).digest('hex').slice(0, 32);
}

function isoOf(nanos: bigint): string {
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}
