import { parseQuery, readyQuery } from '#backend/query/read-query';
import { createTimeContext } from '#backend/query/time-context';

const time = createTimeContext(0, 3_600_000, 60_000, 500);

test.each([
  [undefined, 100_000],
  [50, 50],
  // The editor says that a higher number does not raise the limit of the endpoint.
  [200_000, 200_000],
])('the row limit %s of a query keeps at most %d rows', (maxRows, expected) => {
  const query = parseQuery(Buffer.from(JSON.stringify({ endpoint: { name: 'logs' }, maxRows })));
  expect(readyQuery(query, {}, time, false).maxRows).toBe(expected);
});
