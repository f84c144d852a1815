/** A process that seals and is killed at one of its statements, and what it leaves. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Source } from '#contract/events/source';
import { openDatabase } from '#server/stores/duckdb/file/database';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { LogStore } from '#server/stores/store';
import { storedRows } from '../../../support/stores/stored-rows';
import { makeSource } from '../store-fixture';

const SCRIPT = path.resolve(__dirname, '../../../../build/tests/support/processes/store-sealer.js');
export const SOURCES: readonly Source[] = [makeSource({ tenant: 'project', retention_days: 3650 })];
const OPTIONS = { memoryLimitMb: 64, threads: 1, leastFreeBytes: 1 };

export const openStore = (dataDir: string): Promise<LogStore> =>
  openDuckDbStore({ ...OPTIONS, dataDir, sources: SOURCES });

export async function sealAll(store: LogStore): Promise<void> {
  while ((await store.sealing!.sealNext(new AbortController().signal)) !== null);
}

/** Every row with every value, without the table that it is in. */
export async function contents(dataDir: string): Promise<readonly string[]> {
  return [...(await storedRows(dataDir, SOURCES)).values()].sort();
}

/** Rows of a statement on the file, as JSON. */
export async function readFile(dataDir: string, sql: string): Promise<readonly string[]> {
  const database = await openDatabase({ ...OPTIONS, dataDir });
  const connection = await database.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson().map((row) => JSON.stringify(row));
  } finally {
    connection.closeSync();
    database.close();
  }
}

export interface KillPoint {
  readonly statement: number;
  /** Milliseconds after the start of the statement, or before it. */
  readonly when: 'before' | number;
  /** A piece of the first statement that counts. @default every one */
  readonly first?: string;
}

/** @returns false when the process came to its end before that statement */
export function sealUntilKilled(dataDir: string, { statement, when, first = '' }: KillPoint): boolean {
  const words = [SCRIPT, dataDir, String(statement), String(when), first];
  const { stdout, signal } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (signal === null) expect(stdout).toBe('done\n');
  return signal === 'SIGKILL';
}
