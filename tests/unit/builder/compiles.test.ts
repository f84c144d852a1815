/** Queries that the builder prints compile over the shipped sources, in the sandboxes of the shipped saved queries. */
import path from 'node:path';
import fc from 'fast-check';
import type { SavedQuery } from '#contract/queries/saved-query';
import { describe as describeQuery, validateAdhoc } from '#compiler/compile';
import { loadDefinitions } from '#server/catalog/definitions/load-definitions';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { resolveMacros } from '../../../backend/query/macros';
import { createTimeContext } from '../../../backend/query/time-context';
import type { BuilderModel } from '../../../src/builder/model';
import { outputsOf } from '../../../src/builder/outputs';
import { printLql } from '../../../src/builder/lql/print-lql';
import { printSql } from '../../../src/builder/sql/print-sql';
import { arbitraryModel } from '../../support/arbitrary/builder-model';
import { openStoreUnderTest, type OpenStore } from '../../support/stores/current';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const NOW_MS = Date.UTC(2026, 2, 1, 12);
const TIME = createTimeContext(NOW_MS - 3_600_000, NOW_MS, 60_000, 500);

let opened: OpenStore;

beforeAll(async () => {
  opened = await openStoreUnderTest(loadSources(path.join(ROOT, 'sources.yaml')), 'duckdb');
}, 60_000);

afterAll(() => opened.close());

const definitionOf = (name: string): SavedQuery =>
  loadDefinitions(path.join(ROOT, 'endpoints')).find(({ definition }) => definition.name === name)!.definition;

const tablesOf = (definition: SavedQuery) => describeQuery(definition, opened.store.catalog(), null, null).tables;

function namesOf(definition: SavedQuery, language: 'sql' | 'lql', text: string): readonly string[] {
  return validateAdhoc({
    definition,
    adhoc: { language, text: resolveMacros(text, language, TIME) },
    parameters: Object.fromEntries(definition.parameters.map(({ name }) => [name, null])),
    catalog: opened.store.catalog(),
    nowMicros: NOW_MS * 1000,
    redaction: null,
    tenant: null,
  }).fields.map(({ name }) => name);
}

test.each(['logs.all', 'usage.api-counts'])(
  'any SQL that the builder prints over %s compiles and has the fields that the form shows',
  (name) => {
    const definition = definitionOf(name);
    fc.assert(
      fc.property(arbitraryModel(tablesOf(definition), 'sql', true), (model: BuilderModel) => {
        const names = namesOf(definition, 'sql', printSql(model));
        const outputs = outputsOf(model).map((each) => each.name);
        if (outputs.length > 0) expect(names).toEqual(outputs);
      }),
      { numRuns: 150 }
    );
  }
);

test('any LQL that the builder prints over logs.all compiles', () => {
  const definition = definitionOf('logs.all');
  fc.assert(
    fc.property(arbitraryModel(tablesOf(definition), 'lql', true), (model: BuilderModel) => {
      expect(namesOf(definition, 'lql', printLql(model)).length).toBeGreaterThan(0);
    }),
    { numRuns: 300 }
  );
});
