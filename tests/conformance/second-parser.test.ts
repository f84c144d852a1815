/**
 * Another parser finds the same tables in a saved query as our resolver: in those of the repository, and in every query
 * case that it can read.
 */
import { Parser } from 'node-sql-parser/build/bigquery';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { RequestTime } from '#compiler/ir/request-time';
import { resolveStatement } from '#compiler/resolve/resolve-statement';
import { parseDefinition, sandboxQuery } from '#compiler/sandbox/sandboxed-query';
import { printCanonical } from '#compiler/sql/canonical/print-canonical';
import { NOW_MICROS, openFixtureStore, readDefinition, readQueryCases } from '../support/cases/sql/queries';
import type { OpenStore } from '../support/stores/current';

const ID = '11111111-1111-4111-8111-111111111111';

let fixture: OpenStore;
beforeAll(async () => {
  fixture = await openFixtureStore('duckdb');
}, 60_000);
afterAll(() => fixture.close());

/** Sources that the query reads, as our resolver finds them; undefined: it is not valid. */
function resolvedSources(definition: SavedQuery): ReadonlySet<string> | undefined {
  const parameters = Object.fromEntries(definition.parameters.map(({ name }) => [name, null]));
  const time = new RequestTime(NOW_MICROS);
  const input = { catalog: fixture.store.catalog(), parameters, time, redaction: null, tenant: null };
  try {
    return resolveStatement(sandboxQuery(definition, null), input, 'all').resolution.usedSources;
  } catch {
    return undefined;
  }
}

/** Tables that the other parser finds; undefined: it cannot read the text. */
function readTables(canonical: string): ReadonlySet<string> | undefined {
  try {
    // Entries are `select::database::table`; a quoted name with dots may be split between the last two.
    const entries = new Parser().tableList(canonical, { database: 'bigquery' });
    return new Set(entries.map((entry) => nameOf(entry.split('::').slice(1))));
  } catch {
    return undefined;
  }
}

function nameOf(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== 'null')
    .join('.')
    .replaceAll('`', '');
}

/** @returns whether both parsers could read the query */
function compare(definition: SavedQuery): boolean {
  const ours = resolvedSources(definition);
  const theirs = ours && readTables(printCanonical(parseDefinition(definition)));
  if (ours === undefined || theirs === undefined) return false;
  const found = fixture.store
    .catalog()
    .sources.filter(({ name, aliases }) => [name, ...aliases].some((each) => theirs.has(each)));
  const names = found.map(({ name }) => name);
  expect([definition.query, names.sort()]).toEqual([definition.query, [...ours].sort()]);
  return true;
}

it.each(['logs.all', 'usage.api-counts'])('two parsers find the same sources in %s', (name) => {
  expect(compare(readDefinition(name))).toBe(true);
});

it('two parsers find the same sources in the query cases that both can read', () => {
  const cases = readQueryCases().flatMap(({ cases: ofFile }) => ofFile.filter(({ saved }) => saved === true));
  const compared = cases.filter(({ sql, parameters = {} }) => {
    const declared = Object.keys(parameters).map((name) => ({ name }));
    const checked = savedQuerySchema.safeParse({ id: ID, name: 'case', query: sql, parameters: declared });
    return checked.success && compare(checked.data);
  });
  expect(compared.length).toBeGreaterThan(30);
}, 120_000);
