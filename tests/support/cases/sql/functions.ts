/** Cases of the function registry: read from YAML, run as saved queries on any store. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { LogStore } from '#server/stores/store';
import { readDefinition, runCase } from './queries';

const FOLDER = join(__dirname, '..', '..', '..', 'corpus', 'sql', 'functions');

export interface FunctionCase {
  readonly expression: string;
  /** The dialect's name of the type; undefined: any. */
  readonly type: string | undefined;
  readonly from: string | undefined;
  readonly order: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly expected:
    | { readonly kind: 'values'; readonly values: readonly unknown[] }
    | { readonly kind: 'error'; readonly facts: Readonly<Record<string, unknown>> };
}

export interface FunctionGroup {
  readonly function: string;
  readonly cases: readonly FunctionCase[];
}

interface WrittenGroup {
  readonly function: string;
  readonly type?: string;
  readonly from?: string;
  readonly order?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly cases: readonly Readonly<Record<string, unknown>>[];
}

export function readFunctionCases(): readonly { readonly file: string; readonly groups: readonly FunctionGroup[] }[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => ({
      file,
      groups: (parse(readFileSync(join(FOLDER, file), 'utf8')) as WrittenGroup[]).map(readGroup),
    }));
}

function readGroup(group: WrittenGroup): FunctionGroup {
  const { type, from, order, parameters = {} } = group;
  const cases = group.cases.flatMap((entry) =>
    Object.entries(entry).map(([expression, expected]): FunctionCase => {
      return { expression, type, from, order, parameters, expected: readExpected(expected) };
    })
  );
  return { function: group.function, cases };
}

function readExpected(expected: unknown): FunctionCase['expected'] {
  if (typeof expected === 'object' && expected !== null) {
    if ('error' in expected) {
      const { error: reason, ...rest } = expected;
      return { kind: 'error', facts: { reason, ...rest } };
    }
    if ('rows' in expected) return { kind: 'values', values: expected.rows as unknown[] };
  }
  return { kind: 'values', values: [expected] };
}

const definition = readDefinition('logs.all');
const PREFIX = 'select ';

/** Type and values of a column. */
export interface Evaluated {
  readonly type: string;
  readonly values: readonly unknown[];
}

export async function evaluate(store: LogStore, testCase: FunctionCase): Promise<Evaluated> {
  return (await evaluateTogether(store, [testCase]))[0]!;
}

/** @param cases of one group */
export async function evaluateTogether(store: LogStore, cases: readonly FunctionCase[]): Promise<readonly Evaluated[]> {
  const { from, order, parameters } = cases[0]!;
  const tail = `${from === undefined ? '' : ` from ${from}`}${order === undefined ? '' : ` order by ${order}`}`;
  const columns = cases.map(({ expression }, at) => `${expression} as v${at}`);
  const sql = `${PREFIX}${columns.join(', ')}${tail}`;
  const { bytes, fields } = await runCase(store, definition, { name: sql, sql, saved: true, parameters });
  const { result } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: Record<string, unknown>[] };
  return cases.map((_, at) => ({ type: String(fields[at]?.type), values: result.map((row) => row[`v${at}`]) }));
}

/** The column of an error within the expression. */
export function expectedColumn(position: { readonly column: number } | undefined): number | undefined {
  return position && position.column - PREFIX.length;
}

/** Times are written as text in the cases; answers hold microseconds. */
export function toComparable(value: unknown, type: string): unknown {
  if (type === 'TIMESTAMP' && typeof value === 'number') return timeText(value);
  if (type === 'ARRAY<TIMESTAMP>' && Array.isArray(value)) return value.map((item) => toComparable(item, 'TIMESTAMP'));
  return value;
}

function timeText(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const fraction = micros - seconds * 1e6;
  const clock = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return fraction === 0 ? clock : `${clock}.${String(fraction).padStart(6, '0')}`;
}
