/** A data folder that changes under a running store: nothing is acknowledged that a restart would not find. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import { readFileHead, readRecordHead, RECORD_HEAD_BYTES } from '#server/stores/journal/journal-layout';
import type { LogStore } from '#server/stores/store';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { makeQuery, makeSource, NOW_MICROS, TODAY } from '../store-fixture';

let root: string;
let dataDir: string;
let store: LogStore;

const open = (folder: string): Promise<LogStore> =>
  openDuckDbStore({ dataDir: folder, sources: [makeSource()], memoryLimitMb: 128, threads: 1 });

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'lqe-folder-'));
  dataDir = path.join(root, 'data');
  store = await open(dataDir);
});

afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

let sent = 0;

/** @returns the id, null when the batch was refused. */
async function send(): Promise<string | null> {
  const id = `e${sent++}`;
  const body = Buffer.from(JSON.stringify({ id, timestamp: 1795172400 }));
  const refused = await store.ingest(ingestBatch({ source: 'events', body, nowMicros: NOW_MICROS })).then(
    () => null,
    (error: unknown) => error
  );
  if (refused === null) return id;
  expect(refused).toMatchObject({ code: 'backend_unavailable' });
  return null;
}

async function sendUntilRefused(): Promise<string[]> {
  const acknowledged: string[] = [];
  for (;;) {
    const id = await send();
    if (id === null) return acknowledged;
    acknowledged.push(id);
    await delay(20);
  }
}

async function storedIds(at: LogStore): Promise<unknown[]> {
  await at.catchUp();
  const query = makeQuery(`SELECT id FROM "${TODAY}"`, ['STRING']);
  return [...((await at.execute(query, new AbortController().signal)).columns[0] ?? [])];
}

describe('a data folder that was moved away', () => {
  it('makes the store refuse batches and not be ready until it is opened again, also if another takes its place', async () => {
    const before = [await send(), await send()];
    const moved = path.join(root, 'moved');
    renameSync(dataDir, moved);
    const acknowledged = await sendUntilRefused();
    expect(await store.health()).toEqual({
      ok: false,
      reason: 'The data folder was deleted, moved or replaced while the server ran. Restore it and restart the server.',
    });
    mkdirSync(dataDir);
    expect(await send()).toBeNull();
    rmSync(dataDir, { recursive: true });
    renameSync(moved, dataDir);
    expect(await send()).toBeNull();
    await store.close();
    store = await open(dataDir);
    expect(await storedIds(store)).toEqual(expect.arrayContaining([...before, ...acknowledged]));
    expect(await send()).not.toBeNull();
  });

  it('does not make the store write into the folder that took its place', async () => {
    await send();
    const other = path.join(root, 'other');
    cpSync(dataDir, other, { recursive: true });
    writeFileSync(path.join(other, 'logs.duckdb.wal'), 'of another store');
    const files = (folder: string): unknown[] =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [entry.name, readFileSync(path.join(entry.parentPath, entry.name))]);
    const before = files(other);
    renameSync(dataDir, path.join(root, 'moved'));
    renameSync(other, dataDir);
    await sendUntilRefused();
    await store.close();
    expect(files(dataDir)).toEqual(before);
  });
});

it('a store whose data folder was deleted refuses the next batch', async () => {
  await send();
  rmSync(dataDir, { recursive: true });
  expect(await send()).toBeNull();
  expect(existsSync(dataDir)).toBe(false);
});

describe('a journal file that another program', () => {
  const journalFile = (): string => {
    const dir = path.join(dataDir, 'journal');
    return path.join(
      dir,
      readdirSync(dir).find((name) => name.endsWith('.journal'))!
    );
  };

  /** The mark behind an acknowledged record. */
  async function untilWritten(file: string): Promise<void> {
    const isMarked = (): boolean => {
      const bytes = readFileSync(file);
      const head = readFileHead(bytes)!;
      return readRecordHead(bytes, head.tag, bytes.length - RECORD_HEAD_BYTES)?.position === 0;
    };
    while (!isMarked()) await delay(5);
  }

  it.each([
    ['deletes', () => rmSync(journalFile())],
    ['truncates to nothing', () => truncateSync(journalFile(), 0)],
    ['cuts', () => truncateSync(journalFile(), 100)],
  ])('%s is not written to any more, and acknowledged events are stored', async (_, spoil) => {
    const before = await send();
    await untilWritten(journalFile());
    spoil();
    expect(await send()).toBeNull();
    let after: string | null = null;
    while (after === null) {
      await delay(50);
      after = await send();
    }
    expect(await storedIds(store)).toEqual(expect.arrayContaining([before, after]));
    await store.close();
    store = await open(dataDir);
    expect(await storedIds(store)).toEqual(expect.arrayContaining([before, after]));
  });
});
