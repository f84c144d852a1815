/** Converts columns to log lines: time, body, severity if known, id, labels, and the exact time as text. */
import { createHash } from 'node:crypto';
import type { Data } from 'apache-arrow';
import { levelLabels, levelOf, type LevelSettings } from '#contract/plugin/levels';
import { PluginError } from '../../service-client/failures/plugin-error';
import { bytesAt, integersOf, jsonBuffers, takeRows, textAt, textData, valueText } from '../column-data';
import { type Column, type FrameField, isNumeric } from '../frame';
import { LabelWriter } from '../labels/label-writer';
import type { ResultColumns } from '../read-result';
import { listColumns, type SeriesFields } from './time-series';

const BODY_NAMES = ['event_message', 'body', 'message', 'msg', 'line'];
const TIME_NAMES = ['timestamp', 'time'];
const LEVEL_NAMES = ['severity', 'level', 'severity_text'];

export function isLogs({ columns }: ResultColumns): boolean {
  return columns.some(({ kind }) => kind === 'time') && columns.some((column) => isBody(column, 'event_message'));
}

/** More lines freeze the browser; each one has a label set in memory. */
export const MAX_LOG_LINES = 10_000;

interface LogLines extends SeriesFields {
  /** Rows whose time is null. */
  readonly timelessRows: number;
}

/** Returns at most the first `MAX_LOG_LINES`. */
export function logLines(result: ResultColumns, settings: LevelSettings = {}): LogLines {
  const { time, body, level, id, rest } = partsOfLine(result, settings);
  const rows = rowsWithTime(time, result.length);
  const times = integersOf(time);
  const named = level && textAt(level);
  const labels = lineLabels(rest, levelLabels(settings));
  const levels: string[] = [];
  const wholeId = id && isWhole(id, rows, result.length) ? id : undefined;
  const idAt = id && textAt(id);
  const ids: string[] = [];
  const bodyAt = textAt(body);
  for (const row of rows) {
    const { kept, json } = labels.write(row);
    const own = named?.(row);
    levels.push(levelOf(own && level ? { ...kept, [level.name]: own, level: own } : kept, settings));
    if (!wholeId) ids.push(idAt?.(row) ?? hashOf(times[row]!, bodyAt(row) ?? '', json));
  }

  const isBodyWhole = isWhole(body, rows, result.length);
  const fields: FrameField[] = [
    { name: 'timestamp', kind: 'time', data: rows.length === result.length ? time.data : takeRows(time, rows).data },
    { name: 'body', kind: 'string', data: isBodyWhole ? body.data : textData(rows.map((row) => bodyAt(row) ?? '')) },
  ];
  if (named !== undefined || levels.some((one) => one !== ''))
    fields.push({ name: 'severity', kind: 'string', data: textData(levels) });
  fields.push({ name: 'id', kind: 'string', data: wholeId ? wholeId.data : textData(ids) });
  fields.push({ name: 'labels', kind: 'json', data: labels.data() });
  // Older versions of Grafana round times to milliseconds; log context needs the exact time. The field is hidden from
  // users.
  fields.push({
    name: 'tsNs',
    kind: 'string',
    data: textData(rows.map((row) => String(times[row]))),
    config: { custom: { hidden: true } },
  });
  return { fields, length: rows.length, timelessRows: Math.min(result.length, MAX_LOG_LINES) - rows.length };
}

interface LineParts {
  readonly time: Column;
  readonly body: Column;
  readonly level: Column | undefined;
  readonly id: Column | undefined;
  /** All other columns become labels. */
  readonly rest: readonly Column[];
}

/** @throws PluginError `shape_unfit` without a time or a text */
function partsOfLine({ columns }: ResultColumns, { levelField }: LevelSettings): LineParts {
  const time = pick(columns, TIME_NAMES, 'time') ?? columns.find(({ kind }) => kind === 'time');
  // A level field of the settings is a label as any other.
  const level = levelField ? undefined : pick(columns, LEVEL_NAMES, 'string');
  const id = columns.find(({ name, kind }) => name === 'id' && kind === 'string');
  const texts = columns.filter(({ kind }) => kind === 'string');
  const body = pick(columns, BODY_NAMES, 'string') ?? texts.find((each) => each !== level && each !== id) ?? texts[0];
  if (!time || !body) {
    const format = time && columns.some(isNumeric) ? 'Time series' : 'Table';
    throw new PluginError('shape_unfit', `Logs need a time and a text; this query returns ${listColumns(columns)}.`, {
      status: 400,
      hint: `select timestamp and event_message, or choose the format ${format}`,
    });
  }
  const rest = columns.filter((column) => ![time, body, level, id].includes(column));
  return { time, body, level, id, rest };
}

/** Whether the lines use all values of the column, so that its memory can be reused. */
function isWhole({ data }: Column, rows: readonly number[], length: number): boolean {
  return rows.length === length && data.nullCount === 0;
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

interface LineLabels {
  /** @returns the values of the wanted labels, and all labels as JSON; the bytes are valid until the next line */
  write(row: number): ReturnType<LabelWriter['end']>;
  /** One JSON object per line. */
  data(): Data;
}

/** Labels of metadata have dotted names, other columns keep their names. */
function lineLabels(columns: readonly Column[], wanted: ReadonlySet<string>): LineLabels {
  const sizes = columns.map(({ data }) => byteLengthOf(data.values));
  const writer = new LabelWriter(wanted, 1.5 * sizes.reduce((sum, size) => sum + size, 0));
  const parts = columns.map((column) => partOf(column, writer));
  return {
    write: (row) => {
      writer.begin();
      for (const write of parts) write(row);
      return writer.end();
    },
    data: () => jsonBuffers(writer.buffers()),
  };
}

function byteLengthOf(values: unknown): number {
  return ArrayBuffer.isView(values) ? values.byteLength : 0;
}

function partOf(column: Column, writer: LabelWriter): (row: number) => void {
  const { name, kind } = column;
  if (kind === 'json') {
    const get = bytesAt(column);
    return (row) => {
      const json = get(row);
      if (json !== null) writer.addRecord(name, json);
    };
  }
  const get = valueText(column);
  return (row) => {
    const value = get(row);
    if (value !== null) writer.add(name, value);
  };
}

function hashOf(nanos: bigint, body: string, labels: Uint8Array): string {
  return createHash('sha256').update(`${nanos}\n${body}\n`).update(labels).digest('hex').slice(0, 32);
}
