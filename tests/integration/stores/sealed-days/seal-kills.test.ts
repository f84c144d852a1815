/**
 * `kill -9` at every statement of a seal: no event is lost or doubled, the next start removes what is unfinished, and
 * the days are sealed after it. `SEAL_KILLS=all` for every statement; every fourth otherwise.
 *
 * @slow 40
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import buildServer from '../../../support/processes/build-server';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { contents, openStore, readFile, sealAll, sealUntilKilled } from './killed-sealer';
import { NOW_MICROS } from '../store-fixture';

const EVENTS = 400;
/** A seal of both days has about 58; more than this is one that does not end. */
const MAX_STATEMENTS = 100;
const STEP = process.env['SEAL_KILLS'] === 'all' ? 1 : 4;

let root: string;
let base: string;
let before: readonly string[];

/** A day that was never sealed, and one with late events beside its sealed part. */
beforeAll(async () => {
  await buildServer();
  root = mkdtempSync(path.join(tmpdir(), 'lqe-seal-kills-'));
  base = path.join(root, 'base');
  const store = await openStore(base);
  const day = Date.UTC(2026, 2, 10) * 1000;
  const send = async (from: number, to: number, startMicros: number): Promise<void> => {
    const lines = Array.from({ length: to - from }, (_, i) =>
      JSON.stringify({
        id: `e${from + i}`,
        timestamp: startMicros + i * 1000,
        project: `p${i % 3}`,
        event_message: `message ${i}`,
        metadata: { n: i, text: `t${i % 5}` },
      })
    );
    await store.ingest(ingestBatch({ source: 'events', body: Buffer.from(lines.join('\n')), nowMicros: NOW_MICROS }));
    await store.catchUp();
  };
  await send(0, 200, day);
  await sealAll(store);
  await send(200, 250, day + 500);
  await send(250, EVENTS, day + 86_400_000_000);
  await store.close();
  before = await contents(base);
  expect(before).toHaveLength(EVENTS);
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Tables of days in both files. */
const TABLES = `SELECT regexp_replace(table_name, '[0-9]+$', 'N') FROM duckdb_tables() WHERE table_name LIKE '%/%' ORDER BY 1`;

test.each([
  ['before', 1],
  [1, 3],
] as const)(
  'a process that is killed (%s) at any statement of a seal leaves every event once',
  async (when, first) => {
    let statement = first - STEP;
    for (let wasKilled = true; wasKilled;) {
      statement += STEP;
      expect(statement).toBeLessThan(MAX_STATEMENTS);
      const dataDir = path.join(root, `${when}-${statement}`);
      cpSync(base, dataDir, { recursive: true });
      wasKilled = sealUntilKilled(dataDir, { statement, when });
      expect(await contents(dataDir)).toEqual(before);
      const store = await openStore(dataDir);
      await sealAll(store);
      await store.close();
      expect(await contents(dataDir)).toEqual(before);
      expect(await readFile(dataDir, TABLES)).toEqual(['["events/2026-03-10.N"]', '["events/2026-03-11.N"]']);
      rmSync(dataDir, { recursive: true });
    }
    // Two days, each with its table, its rows, the transaction that puts it in force, and the end.
    expect(statement).toBeGreaterThan(15);
  },
  300_000
);
