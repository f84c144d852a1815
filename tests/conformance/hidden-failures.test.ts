/** A failure in the text of the saved query says nothing of that text to the author of an ad-hoc query. */
import type { ServiceError } from '#contract/errors';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { openFixtureStore, runCase } from '../support/cases/sql/queries';
import type { OpenStore } from '../support/stores/current';

const definition = savedQuerySchema.parse({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'hidden.cast',
  query: 'with e as (select id, cast(event_message as int64) as n from edge_requests) select id from e',
  sandbox: true,
});

let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);

afterAll(() => fixture.close());

it.each([
  ['without an operation that may fail', 'select n from e'],
  [
    'with an operation of the same kind',
    "select n, cast(concat('1', '2') as int64) as m, cast(left(id, 0) || '7' as int64) as k from e",
  ],
])('of an ad-hoc query %s', async (_, sql) => {
  const error = await runCase(fixture.store, definition, { name: 'case', sql, parameters: {} }).catch(
    (thrown: unknown) => thrown
  );
  const { details, message } = error as ServiceError;
  expect(details).toMatchObject({ reason: 'bad_cast' });
  expect(details.position).toBeUndefined();
  expect(message).toMatch(/^a value cannot be converted/);
});
