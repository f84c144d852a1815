/** Pipe queries run as fast as ordinary ones, because they compile to the same SQL of the store. */
import { compile } from '#compiler/compile';
import type { Catalog } from '#compiler/catalog/catalog';
import { corpusLines } from '../../support/cases/corpus';
import { NOW_MICROS, openFixtureStore, readDefinition } from '../../support/cases/sql/queries';
import type { OpenStore } from '../../support/stores/current';

const LOGS = readDefinition('logs.all');

let fixture: OpenStore;
let catalog: Catalog;
beforeAll(async () => {
  fixture = await openFixtureStore();
  catalog = fixture.store.catalog();
}, 60_000);
afterAll(() => fixture.close());

function sqlOf(text: string): readonly string[] {
  const query = compile({
    definition: LOGS,
    adhoc: { language: 'sql', text },
    parameters: { project: 'abcd', iso_timestamp_start: null, iso_timestamp_end: null },
    catalog,
    nowMicros: NOW_MICROS,
    maxRows: 1000,
    redaction: null,
    tenant: null,
  });
  return [query.sql, ...[...query.older].map(({ sql }) => sql)].map(unnumbered);
}

/** Names of columns are generated in the order in which they are first read. */
function unnumbered(sql: string): string {
  return sql.replace(/"c\d+"/g, '"c"');
}

test.each(corpusLines('sql/parse/pipe-plans.txt').map((line) => line.split(' ≡ ') as [string, string]))(
  '%s',
  (pipe, ordinary) => expect(sqlOf(pipe)).toEqual(sqlOf(ordinary))
);
