/**
 * `kill -9` at every statement by which a store returns space after an import: the fields, the list of sealed days
 * and every event are there once, and the next process returns the space. `SEAL_KILLS=all` for more moments in each
 * statement.
 *
 * @slow 25
 */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import buildServer from '../../../support/processes/build-server';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import { contents, type KillPoint, openStore, readFile, sealAll, sealUntilKilled } from './killed-sealer';

const DAY_MICROS = 86_400_000_000;
const TODAY_MICROS = Math.floor(Date.now() / 86_400_000) * DAY_MICROS;
const EVENTS_OF_DAY = 600;
const DAYS = 4;
const FIELDS = 40;
/** The look-up of the tables whose rows are written again. */
const FIRST = `LIKE 'lqe`;
/** The look-up, a transaction, three statements for each of four tables, and the checkpoint. */
const FEWEST_STATEMENTS = 15;

const MOMENTS = process.env['SEAL_KILLS'] === 'all' ? (['before', 0, 1, 3, 6] as const) : (['before', 1] as const);

let root: string;
let base: string;
let events: readonly string[];
let facts: readonly string[];

/** An import of past days, and some events of today behind them. */
beforeAll(async () => {
  await buildServer();
  root = mkdtempSync(path.join(tmpdir(), 'lqe-space-kills-'));
  base = path.join(root, 'base');
  const store = await openStore(base);
  for (let day = DAYS; day >= 0; day--) await store.ingest(eventsOf(day));
  await store.close();
  events = await contents(base);
  expect(events).toHaveLength(EVENTS_OF_DAY * DAYS + 10);
  // From here on, its days are sealed, and the space of their open parts is not returned.
  expect(sealUntilKilled(base, { statement: 1, when: 'before', first: FIRST })).toBe(true);
  facts = await readFacts(base);
  expect(facts.length).toBeGreaterThan(FIELDS);
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

function eventsOf(day: number): ReturnType<typeof ingestBatch> {
  const start = TODAY_MICROS - day * DAY_MICROS;
  const lines = Array.from({ length: day === 0 ? 10 : EVENTS_OF_DAY }, (_, i) => {
    const metadata = { [`field_${i % FIELDS}`]: i, text: `t${i % 5}` };
    // Long enough for most blocks of the file to be those of past days.
    const event_message = randomBytes(1000).toString('hex');
    return JSON.stringify({ id: `${day}-${i}`, timestamp: start + i, project: `p${i % 3}`, event_message, metadata });
  });
  const nowMicros = TODAY_MICROS + 1_000_000;
  return ingestBatch({ source: 'events', body: Buffer.from(lines.join('\n')), nowMicros });
}

function copyOfBase(name: string): string {
  const dataDir = path.join(root, name);
  cpSync(base, dataDir, { recursive: true });
  return dataDir;
}

/** What the service's own tables say, without the versions of sealed parts, which are times. */
function readFacts(dataDir: string): Promise<readonly string[]> {
  const tables = [
    'lqe_field_order',
    'lqe_field_tenants',
    'lqe_fields',
    'lqe_journal',
    'lqe_lost_columns',
    'lqe_meta',
    'lqe_sealed',
  ];
  const text = String.raw`regexp_replace(CAST(to_json(t) AS VARCHAR), '\.[0-9]+"', '"')`;
  const selects = tables.map((table) => `SELECT '${table}', ${text} FROM ${table} AS t`);
  return readFile(dataDir, `${selects.join(' UNION ALL ')} ORDER BY ALL`);
}

async function killEverywhere(when: KillPoint['when']): Promise<number> {
  for (let statement = 1; ; statement++) {
    const dataDir = copyOfBase(`${when}-${statement}`);
    const wasKilled = sealUntilKilled(dataDir, { statement, when, first: FIRST });
    expect(await readFacts(dataDir)).toEqual(facts);
    const store = await openStore(dataDir);
    await sealAll(store);
    // Known already: each is compared with those of a sealed day.
    await store.ingest(eventsOf(1));
    await store.close();
    expect(await contents(dataDir)).toEqual(events);
    const { size } = statSync(path.join(dataDir, 'logs.duckdb'));
    rmSync(dataDir, { recursive: true });
    expect(size).toBeLessThan(statSync(path.join(base, 'logs.duckdb')).size / 2);
    if (!wasKilled) return statement;
  }
}

test.each(MOMENTS)(
  'a store that is killed (%s) while it returns space has everything once',
  async (when) => {
    expect(await killEverywhere(when)).toBeGreaterThan(FEWEST_STATEMENTS);
  },
  300_000
);
