/**
 * A small LogStore for tests of the engine: events are lines of a file, and the SQL of a query is one command that says
 * how it behaves.
 *
 *   rows 3            three rows: n INT64, text STRING
 *   text 1000         one row with a text of that length
 *   sleep 500         waits, and stops when it is interrupted
 *   deaf 5000         waits, and does not stop
 *   hog               takes memory until the process ends
 *   crash             ends the process
 *   fail              throws an unexpected error
 */
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import type { IngestResult } from '#contract/queries/result';
import type { CompiledQuery } from '#compiler/output/compiled-query';
import type { LogStore, StoreRows } from '#server/stores/store';

/** A file of this name in the data directory makes `open` fail. */
export const LOCKED_FILE = 'locked';
/** With a file of this name in the data directory, the store counts as another server. */
export const REMOTE_FILE = 'remote';
/** While a file of this name is in the data directory, events wait to be stored. */
export const BEHIND_FILE = 'behind';
/** Each run leaves its text here, so that a test can see what was tried how often. */
export const RUNS_FILE = 'runs.log';
/** Each batch leaves the process that got it, and the id of its first event. */
export const BATCHES_FILE = 'batches.log';
const EVENTS_FILE = 'events.ndjson';

interface TestEvent {
  readonly id: string;
  /** Time between the write and the answer. */
  readonly pauseMs?: number;
  /** Ends the process, before the write. */
  readonly crash?: boolean;
  /** Takes memory until the process ends, after the write. */
  readonly hog?: boolean;
}

export function openTestStore(dataDir: string): Promise<LogStore> {
  if (existsSync(path.join(dataDir, LOCKED_FILE)))
    return Promise.reject(new ServiceError('backend_unavailable', 'The data directory is in use by another process.'));
  return Promise.resolve({
    isRemote: existsSync(path.join(dataDir, REMOTE_FILE)),
    catalog: () => ({ dialect: 'duckdb', sources: [] }),
    execute: (query, signal) => execute(dataDir, query, signal),
    ingest: ({ body }) => ingest(dataDir, body),
    addSource: () => Promise.resolve(),
    dropEvents: () => Promise.resolve(0),
    catchUp: () => catchUp(dataDir),
    get isCaughtUp() {
      return !existsSync(path.join(dataDir, BEHIND_FILE));
    },
    isFarBehind: false,
    misfits: () => ({}),
    fieldUse: () => ({}),
    enforceRetention: () => Promise.resolve(0),
    isEmpty: () => Promise.resolve(readEvents(dataDir).length === 0),
    health: () => Promise.resolve({ ok: true }),
    sizes: () => Promise.resolve(new Map()),
    stats: () => Promise.resolve(null),
    exports: null,
    sealing: null,
    close: () => Promise.resolve(),
  });
}

async function catchUp(dataDir: string): Promise<void> {
  while (existsSync(path.join(dataDir, BEHIND_FILE))) await delay(10);
}

export function readEvents(dataDir: string): readonly TestEvent[] {
  const file = path.join(dataDir, EVENTS_FILE);
  if (!existsSync(file)) return [];
  return parseLines(readFileSync(file, 'utf8'));
}

async function ingest(dataDir: string, body: Uint8Array): Promise<IngestResult> {
  appendFileSync(path.join(dataDir, BATCHES_FILE), `${process.pid} ${batchName(body)}\n`);
  const known = new Set(readEvents(dataDir).map(({ id }) => id));
  const batch = parseLines(Buffer.from(body).toString('utf8'));
  if (batch.some(({ crash }) => crash)) process.kill(process.pid, 'SIGKILL');
  const fresh = batch.filter(({ id }) => !known.has(id));
  const file = openSync(path.join(dataDir, EVENTS_FILE), 'a');
  appendFileSync(file, fresh.map((event) => `${JSON.stringify(event)}\n`).join(''));
  fsyncSync(file);
  closeSync(file);
  if (batch.some(({ hog }) => hog)) return takeMemory();
  await delay(Math.max(0, ...fresh.map(({ pauseMs }) => pauseMs ?? 0)));
  return { accepted: batch.length, duplicates: batch.length - fresh.length, rejected: 0, errors: [] };
}

function batchName(body: Uint8Array): string {
  return parseLines(Buffer.from(body).toString('utf8'))[0]?.id ?? 'empty';
}

async function execute(dataDir: string, query: CompiledQuery, signal: AbortSignal): Promise<StoreRows> {
  appendFileSync(path.join(dataDir, RUNS_FILE), `${query.sql}\n`);
  const [command, argument] = query.sql.split(' ');
  const amount = Number(argument);
  switch (command) {
    case 'rows':
      return rowsOf(Array.from({ length: amount }, (_, index) => `row ${index}`));
    case 'text':
      return rowsOf(['x'.repeat(amount)]);
    case 'sleep':
      await delay(amount, undefined, { signal }).catch(() => {
        throw new ServiceError('query_timeout', 'interrupted');
      });
      return rowsOf(['slept']);
    case 'deaf':
      await delay(amount);
      return rowsOf(['heard nothing']);
    case 'hog':
      return takeMemory();
    case 'crash':
      process.kill(process.pid, 'SIGKILL');
      return delay(60_000, rowsOf([]));
    case 'fail':
      throw new Error('secret text of the store');
    default:
      throw new ServiceError('query_invalid', 'no such command');
  }
}

async function takeMemory(): Promise<never> {
  const taken: Buffer[] = [];
  for (;;) {
    taken.push(Buffer.alloc(16 * 1024 * 1024, 1));
    await delay(5);
  }
}

function rowsOf(texts: readonly string[]): StoreRows {
  return { columns: [texts.map((_, index) => BigInt(index)), texts], rowCount: texts.length, truncated: false };
}

function parseLines(text: string): readonly TestEvent[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TestEvent);
}
