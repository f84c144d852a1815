/** A saved query that says which of its tables LQL reads without `f:`. */
import { ServiceError } from '#contract/errors';
import { validateAdhoc, validateDefinition } from '#compiler/compile';
import { compileRequest, openLqlStore } from '../../support/cases/lql';
import type { OpenStore } from '../../support/stores/current';

let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openLqlStore();
}, 60_000);

afterAll(() => fixture.close());

const tableOf = (lql: string, defaultTable: string): readonly string[] => {
  const request = compileRequest(fixture.store, { lql, in: 'many' });
  const definition = { ...request.definition, default_table: defaultTable };
  return validateAdhoc({ ...request, definition }).tables;
};

test('the default table is read when the LQL text names no table', () => {
  expect(tableOf('error', 'auth_logs')).toEqual(['auth_logs']);
  expect(tableOf('error f:edge_logs', 'auth_logs')).toEqual(['edge_logs']);
});

test('the default table must be defined by the saved query', () => {
  const { definition, catalog } = compileRequest(fixture.store, { lql: 'x', in: 'many' });
  expect(() => validateDefinition({ ...definition, default_table: 'wide' }, catalog, null, null)).not.toThrow();
  for (const name of ['edge', 'WIDE', 'nope'])
    expect(() => validateDefinition({ ...definition, default_table: name }, catalog, null, null)).toThrow(ServiceError);
});
