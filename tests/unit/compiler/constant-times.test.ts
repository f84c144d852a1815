/** Times of kept groups that are the same for all events of a day. */
import { compiledOverDays } from './dialects/printed-sql';

/** The groups of the first whole day, without names. */
function groupsOfDay(query: string): string {
  const split = compiledOverDays(query).split()!;
  const unit = split.units.find(({ isWhole }) => isWhole)!;
  const { sql } = split.createGroups(unit, 'g', 10);
  return sql.slice(sql.indexOf('SELECT', sql.indexOf('FROM')));
}

const DAY = `TIMESTAMP '1970-01-03 00:00:00'`;

it.each([
  [
    'a day, beside another key',
    'select timestamp_trunc(timestamp, day) as d, event_message as m',
    [DAY],
    ['date_trunc'],
  ],
  [
    'a month',
    'select timestamp_trunc(timestamp, month) as d, event_message as m',
    [`'1970-01-01 00:00:00'`],
    ['trunc'],
  ],
  ['hours are not', 'select timestamp_trunc(timestamp, hour) as d, event_message as m', ['date_trunc'], [DAY]],
  [
    'days elsewhere are not',
    `select timestamp_trunc(timestamp, day, 'Asia/Kolkata') as d, event_message as m`,
    ['date_trunc'],
    [DAY],
  ],
])('%s', (_, select, present, absent) => {
  const sql = groupsOfDay(`${select}, count(*) as n from calls group by d, m`);
  for (const text of present) expect(sql).toContain(text);
  for (const text of absent) expect(sql).not.toContain(text);
});

it('a constant is no key, unless it is the only one: without a key there is a group of no events', () => {
  const columns = `timestamp_trunc(timestamp, day) as d, event_message as m, count(*) as n`;
  expect(groupsOfDay(`select ${columns} from calls group by d, m`)).toMatch(/GROUP BY [^,]*event_message[^,]*$/);
  const day = groupsOfDay('select timestamp_trunc(timestamp, day) as d, count(*) as n from calls group by d');
  expect(day).toContain(`GROUP BY ${DAY}`);
});

it('the time is not read where it is a constant, also of a query below', () => {
  const sql = groupsOfDay(
    `select d, m, count(*) as n from (select timestamp_trunc(timestamp, day) as d, event_message as m
      from (select timestamp, event_message from calls)) group by d, m`
  );
  expect(sql).toContain(DAY);
  expect(sql).not.toContain('"timestamp"');
});

it('groups of a piece of a day have its constant', () => {
  const query = compiledOverDays(
    `select timestamp_trunc(timestamp, day) as d, event_message as m, count(*) as n from calls
      where timestamp >= timestamp '1970-01-01 18:00:00' group by d, m`
  );
  const cut = query.split()!.units.at(-1)!;
  const sql = cut.pieces.map((piece) => query.split()!.createGroups(piece, 'g', 10).sql);
  expect(sql.length).toBeGreaterThan(0);
  for (const text of sql) expect(text).toContain(`TIMESTAMP '1970-01-01 00:00:00' AS`);
});
