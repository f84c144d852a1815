/** Times of last use that several servers write at the same time. */
import { storeUsage } from '#server/catalog/database/stored-tokens';

it('rows are written in the order of the ids, in whatever order the tokens were used', async () => {
  const written: (readonly unknown[] | undefined)[] = [];
  const run = (_sql: string, values?: readonly unknown[]): Promise<readonly never[]> => {
    written.push(values);
    return Promise.resolve([]);
  };
  const [first, second, third] = [1, 2, 3].map((minute) => new Date(minute * 60_000)) as [Date, Date, Date];
  await storeUsage(
    { run },
    new Map([
      ['b', first],
      ['c', second],
      ['a', third],
    ])
  );
  expect(written).toEqual([
    [
      ['a', 'b', 'c'],
      [third, first, second],
    ],
  ]);
});
