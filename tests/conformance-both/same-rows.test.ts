/**
 * Compares the responses of DuckDB and ClickHouse to the same text: attacks and generated queries.
 *
 * @slow 35
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { ServiceError } from '#contract/errors';
import { expand, readAttackClasses, stepsOf } from '../support/cases/attacks';
import { arbitraryCorrelatedQuery } from '../support/arbitrary/queries/correlated-query';
import { arbitraryRowsQuery } from '../support/arbitrary/queries/rows-query';
import { arbitraryShapedQuery } from '../support/arbitrary/queries/shaped-query';
import { itOnStore } from '../support/cases/known-differences';
import { openFixtureStore, readDefinition, runCase } from '../support/cases/sql/queries';
import type { OpenStore } from '../support/stores/current';

const LOGS = readDefinition('logs.all');

let duckDb: OpenStore;
let clickHouse: OpenStore;
beforeAll(async () => {
  [duckDb, clickHouse] = await Promise.all([openFixtureStore('duckdb'), openFixtureStore('clickhouse')]);
}, 60_000);
afterAll(async () => {
  await Promise.all([duckDb.close(), clickHouse.close()]);
});

/** The rows, or which error it is. */
async function answerOf({ store }: OpenStore, sql: string, saved = false): Promise<unknown> {
  try {
    const testCase = { name: sql, sql, saved, ...(saved && { parameters: {} }) };
    const { bytes, fields, truncated } = await runCase(store, LOGS, testCase);
    const { result } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: unknown };
    return { fields, truncated, result: asked(sql, rounded(result) as readonly unknown[]) };
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'backend_error')
      return { code: error.code, reason: error.details.reason };
    throw error;
  }
}

/** Where no order is asked for, rows come in any, and a limit takes any of them. */
function asked(sql: string, rows: readonly unknown[]): unknown {
  if (/(?:order by[^()]*|, x\.n)$/i.test(sql)) return rows;
  return /\blimit\b/i.test(sql) ? rows.length : rows.map((row) => JSON.stringify(row)).sort();
}

/** The order in which fractions are added up is a store's own. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isInteger(value)) return Number(value.toPrecision(14));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
}

async function both(sql: string, saved?: boolean): Promise<[unknown, unknown]> {
  return await Promise.all([answerOf(duckDb, sql, saved), answerOf(clickHouse, sql, saved)]);
}

const attacks = readAttackClasses()
  .filter(({ heavy }) => !heavy)
  .flatMap((group) => group.cases.flatMap((attack) => stepsOf(group, attack)))
  .flatMap(({ sql, endpoint }) =>
    sql === undefined || endpoint !== undefined || /\{\{\w+\}\}/.test(sql) ? [] : [expand(sql, {})]
  )
  .filter((sql) => sql.length < 10_000 && !/(?:array|string)_agg\((?!.*order by)/i.test(sql));

for (const sql of new Set(attacks)) {
  itOnStore('same-rows', sql)(sql, async () => {
    const [one, other] = await both(sql);
    expect(other).toEqual(one);
  });
}

const compared = parse(readFileSync(join(__dirname, '../corpus/sql/compared.yaml'), 'utf8')) as readonly {
  readonly name: string;
  readonly sql: string;
}[];

for (const { name, sql } of compared) {
  itOnStore('compared.yaml', name)(name, async () => {
    const [one, other] = await both(sql, true);
    expect(other).toEqual(one);
  });
}

const madeUp = [
  { name: 'queries that are made up', arbitrary: arbitraryRowsQuery, numRuns: 150 },
  { name: 'subqueries that read the rows around them', arbitrary: arbitraryCorrelatedQuery, numRuns: 60 },
  { name: 'queries of every shape', arbitrary: arbitraryShapedQuery, numRuns: 120 },
];

test.each(madeUp)(
  'both stores return the same rows: $name',
  async ({ arbitrary, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (sql) => {
        const [one, other] = await both(sql, true);
        expect(other).toEqual(one);
      }),
      { numRuns: Number(process.env['FC_RUNS'] ?? numRuns) }
    );
  },
  600_000
);
