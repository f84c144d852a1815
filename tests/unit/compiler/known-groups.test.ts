/** What is known of the events of a kept group: times that are the same for all of them, and texts that all hold. */
import type { CatalogPart } from '#compiler/catalog/catalog';
import type { CompiledStatement } from '#compiler/output/compiled-query';
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

describe('texts that all rows hold', () => {
  const QUERY = `select message, count(*) as n from (select event_message as message, id from calls
    where regexp_contains(id, 'acorn') and id like '%acorn%' and regexp_contains(event_message, 'acorn')) group by message`;

  /** The groups of the newest day, of whose events this is known. */
  function groupsWithCommon(query: string, facts: Pick<CatalogPart, 'commonTexts' | 'ofTenants'>): CompiledStatement {
    const search = compiledOverDays(query).search()!;
    const [newest, ...others] = search.scans[0]!.parts;
    const split = search.narrowed([[{ ...newest!, ...facts }, ...others]]).split()!;
    return split.createGroups(split.units[0]!, 'g', 10);
  }

  it('are not searched for, in the column that holds them', () => {
    const { sql } = groupsWithCommon(QUERY, { commonTexts: [{ column: 'id', text: 'acorn' }] });
    expect(sql).not.toMatch(/contains\(t\d+."id"/);
    expect(sql).toMatch(/contains\(t\d+."event_message"/);
    expect(groupsWithCommon(QUERY, { commonTexts: [{ column: 'id', text: 'acor' }] }).sql).toMatch(
      /contains\(t\d+."id"/
    );
  });

  it('spare the column where nothing else reads it', () => {
    const query = `select event_message, count(*) as n from calls where regexp_contains(id, 'acorn') group by event_message`;
    expect(groupsWithCommon(query, { commonTexts: [{ column: 'id', text: 'acorn' }] }).sql).not.toContain('"id"');
    const counted = query.replace('count(*)', 'count(distinct id)');
    expect(compiledOverDays(counted).split()).toBeNull();
    const smallest = groupsWithCommon(query.replace('count(*)', 'min(id)'), {
      commonTexts: [{ column: 'id', text: 'acorn' }],
    });
    expect(smallest.sql).toContain('min(');
  });

  it('are searched for under OR and NOT', () => {
    const query = `select event_message, count(*) as n from calls
      where (regexp_contains(id, 'acorn') or id = 'acorns') and not regexp_contains(id, 'acorn') group by event_message`;
    const { sql } = groupsWithCommon(query, { commonTexts: [{ column: 'id', text: 'acorn' }] });
    expect(sql.match(/contains\(/g)).toHaveLength(2);
  });

  it('leave no value without a reader: DuckDB refuses such values', () => {
    const ofTenants = { column: 'event_message', values: ['a', null], rows: 1 };
    const { sql, values } = groupsWithCommon(QUERY, { commonTexts: [{ column: 'id', text: 'acorn' }], ofTenants });
    values.forEach((_, index) => expect(sql).toContain(`$${index + 1} `));
    expect(sql).toMatch(/"event_message" IN \(CAST\(\$\d+ AS VARCHAR\)\) OR "event_message" IS NULL/);
  });

  it('without a tenant are printed as a condition that is never true', () => {
    const ofTenants = { column: 'event_message', values: [], rows: 0 };
    expect(groupsWithCommon(QUERY, { ofTenants }).sql).toContain('WHERE FALSE');
  });
});
