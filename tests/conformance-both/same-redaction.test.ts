/**
 * Under redaction no statement of tests/corpus/redaction/attacks.yaml tells two stores apart that differ only in what
 * is hidden, and on ClickHouse it answers as on DuckDB. `REDACTION_ATTACKS=all` asks ClickHouse about both stores, and
 * also without redaction; otherwise about one of them, in turn: its answer is then compared with that of DuckDB, which
 * is the same for both.
 *
 * @slow 70
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { DETECTORS } from '#server/engine/redaction/policy';
import { findAll } from '#server/engine/redaction/redact-text';
import type { LogStore } from '#server/stores/store';
import { itOnStore } from '../support/cases/known-differences';
import { readDefinition } from '../support/cases/sql/queries';
import { answerOf, openTwinStores, type TwinStores } from '../support/redaction/twin-stores';

const ATTACKS = parse(readFileSync(join(__dirname, '../corpus/redaction/attacks.yaml'), 'utf8')) as {
  readonly name: string;
  readonly sql: string;
}[];
const LOGS = readDefinition('logs.all');
const ASKS_ALL = process.env['REDACTION_ATTACKS'] === 'all';

let duckDb: TwinStores;
let clickHouse: TwinStores;
/** Attacks that work where nothing is redacted. */
let distinguished = 0;
beforeAll(async () => {
  [duckDb, clickHouse] = [await openTwinStores('duckdb'), await openTwinStores('clickhouse')];
}, 60_000);
afterAll(async () => {
  await duckDb.close();
  await clickHouse.close();
});

const ask = (stores: readonly LogStore[], sql: string, redact: boolean): Promise<readonly string[]> =>
  Promise.all(stores.map((store) => answerOf(store, LOGS, { adhoc: { language: 'sql', text: sql }, redact })));

for (const [turn, { name, sql }] of ATTACKS.entries()) {
  itOnStore('same-redaction', name)(name, async () => {
    const [left, right] = await ask(duckDb.stores, sql, true);
    expect(left).toBe(right);
    // An error repeats a name that the caller wrote.
    if (!left!.startsWith('{"code"')) expect(findAll(left!, DETECTORS)).toEqual([]);
    const asked = ASKS_ALL ? clickHouse.stores : [clickHouse.stores[turn % 2]!];
    expect(await ask(asked, sql, true)).toEqual(asked.map(() => left));

    // The attack is one: without redaction it is a good query, or it fails on what it reads.
    for (const twins of ASKS_ALL ? [duckDb, clickHouse] : [duckDb]) {
      const [raw, other] = await ask(twins.stores, sql, false);
      expect(raw).not.toMatch(/"reason":"(?:syntax|unknown_function|wrong_arguments|type_mismatch|ambiguous_column)"/);
      if (raw !== other) distinguished += 1;
    }
  });
}

test('without redaction the attacks find a difference between the stores', () => {
  expect(distinguished).toBeGreaterThan(ATTACKS.length * (ASKS_ALL ? 2 : 1) * 0.9);
});
