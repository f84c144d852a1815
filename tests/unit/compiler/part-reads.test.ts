import type { CompiledStatement } from '#compiler/output/compiled-query';
import { compiledOverDays } from './dialects/printed-sql';

const HOUR = 3_600_000_000;

/** Table and hours since 1970 of each read. */
function reads({ reads: all }: CompiledStatement): readonly string[] {
  return all.map(
    ({ part, fromMicros, toMicros }) => `${part.table} ${fromMicros / HOUR}-${Math.round(toMicros / HOUR)}`
  );
}

it.each<readonly [string, readonly string[]]>([
  ['select 1 as one', []],
  ['select count(*) as n from calls', ['calls2 48-72', 'calls1 24-48', 'calls 0-24']],
  [
    `select count(*) as n from calls where timestamp >= timestamp '1970-01-02 12:00:00'`,
    ['calls2 48-72', 'calls1 36-48'],
  ],
  [
    `select count(*) as n from calls
      where timestamp between timestamp '1970-01-02 12:00:00' and timestamp '1970-01-02 13:00:00'`,
    ['calls1 36-37'],
  ],
  [
    `select count(*) as n from calls as a join calls as b on a.id = b.id
      where a.timestamp < timestamp '1970-01-01 06:00:00' and b.timestamp < timestamp '1970-01-01 01:00:00'`,
    ['calls 0-6', 'calls 0-1'],
  ],
])('%s', (query, expected) => {
  expect(reads(compiledOverDays(query))).toEqual(expected);
});

it('the newest rows are read first, then older ones, each hour once', () => {
  const query = compiledOverDays('select id from calls order by timestamp desc limit 10');
  expect(reads(query)).toEqual(['calls2 71.75-72']);
  expect([...query.older].map(reads)).toEqual([['calls2 70-72'], ['calls2 48-70'], ['calls1 24-48'], ['calls 0-24']]);
});

it('counts that are kept read whole days, and the others what the limits of time leave', () => {
  const split = compiledOverDays(
    `select path, count(*) as n from (select event_message as path from calls
      where timestamp >= timestamp '1970-01-01 18:00:00') group by path`
  ).split()!;
  const whole = split.units.filter(({ isWhole }) => isWhole);
  expect(whole.map((unit) => reads(split.createGroups(unit, 'g', 10)))).toEqual([['calls2 48-72'], ['calls1 24-48']]);
  expect(reads(split.merge(['g1'], split.units.slice(1)))).toEqual(['calls1 24-48', 'calls 18-24']);
});
