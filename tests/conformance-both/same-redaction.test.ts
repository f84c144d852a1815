/** What is redacted at the source looks the same on DuckDB and ClickHouse. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { itOnStore } from '../support/known-differences';
import { readDefinition } from '../support/query-cases';
import { answerOf, LEFT, openSecrets } from '../support/redaction/twin-stores';
import type { OpenStore } from '../support/store-under-test';

const ATTACKS = parse(readFileSync(join(__dirname, '../corpus/redaction/attacks.yaml'), 'utf8')) as {
  readonly name: string;
  readonly sql: string;
}[];
const LOGS = readDefinition('logs.all');

let duckDb: OpenStore;
let clickHouse: OpenStore;
beforeAll(async () => {
  [duckDb, clickHouse] = [await openSecrets(LEFT, 'duckdb'), await openSecrets(LEFT, 'clickhouse')];
}, 60_000);
afterAll(async () => {
  await duckDb.close();
  await clickHouse.close();
});

for (const { name, sql } of ATTACKS) {
  itOnStore('same-redaction', name)(name, async () => {
    const asked = { adhoc: { language: 'sql', text: sql } } as const;
    expect(await answerOf(clickHouse.store, LOGS, asked)).toBe(await answerOf(duckDb.store, LOGS, asked));
  });
}
