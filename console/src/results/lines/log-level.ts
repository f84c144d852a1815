/** The level of an event, by the default rules of the Grafana data source. */
import { knownLevel, levelLabels, levelOf, type LogLevel } from '#contract/plugin/levels';
import type { Row, Value } from '../../api/run-query';
import { isNested } from '../values/format-value';

const PATHS = [...levelLabels({})].map((path) => path.split('.'));

/** Lines are drawn again and again while a person scrolls. */
const LEVELS = new WeakMap<Row, LogLevel | null>();

/** @returns null: the event names no known level */
export function levelOfEvent(row: Row): LogLevel | null {
  let level = LEVELS.get(row);
  if (level === undefined) LEVELS.set(row, (level = readLevel(row)));
  return level;
}

function readLevel(row: Row): LogLevel | null {
  const labels: Record<string, string> = {};
  for (const path of PATHS) {
    const text = textAt(row, path) ?? textAt(row['metadata'] ?? null, path);
    if (text !== null) labels[path.join('.')] = text;
  }
  return knownLevel(levelOf(labels, {})) ?? null;
}

/** A text or number at a path; records stand in lists of one. */
function textAt(value: Value, path: readonly string[]): string | null {
  let current: Value | undefined = value;
  for (const name of path) {
    const record: Value | undefined = Array.isArray(current) ? (current as readonly Value[])[0] : current;
    if (record === undefined || !isNested(record) || Array.isArray(record)) return null;
    current = (record as { readonly [name: string]: Value })[name];
  }
  return typeof current === 'string' || typeof current === 'number' ? String(current) : null;
}
