/**
 * Filters of searched columns by tenant: each query has the rows that it has without them, and reads fewer.
 *
 * @slow 30
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { StoreRows } from '#server/stores/store';
import {
  type Call,
  compiled,
  DAY,
  event,
  expectSame as expectSameIn,
  filtersOf,
  sealAll,
  SOURCE,
} from './searched-events';
import { NOW_MICROS, openFixture, type StoreFixture } from '../store-fixture';

const EVENTS = 10 * 2048;
const never = new AbortController().signal;

let fixture: StoreFixture;
const expectSame = (call: Call): Promise<StoreRows> => expectSameIn(fixture, call);

function projectOf(n: number): string {
  const share = n / EVENTS;
  return share < 0.5 ? 'acorn' : share < 0.8 ? 'blue' : share < 0.98 ? 'copper' : `small${n % 3}`;
}

/** The URL names the project, but for some of `copper`. Project `blue` has an event without one. */
function urlOf(n: number, project: string): string | null {
  if (project === 'blue' && n % 5000 === 17) return null;
  const path = ['rest/v1/orders', 'auth/v1/token', `storage/${(n * 7919) % 1000}`, 'of/acorns'][n % 4]!;
  return project === 'copper' && n % 4 === 3 ? `https://elsewhere/${path}` : `https://${project}.example.org/${path}`;
}

/** @param day before today. @param project null: of no tenant */
function request(day: number, n: number, project: string | null): object {
  const url = urlOf(n, project ?? 'nowhere');
  return { ...event(day, n, `GET ${n % 7}`, ''), project, note: url };
}

beforeAll(async () => {
  fixture = await openFixture([SOURCE], 256, {
    searchFiltersMaxBytes: 1_000_000,
    keptCountsMaxBytes: 4_000_000,
    settledMs: 0,
  });
  for (const day of [4, 3, 2]) {
    for (let from = 0; from < EVENTS; from += 5120) {
      const numbers = Array.from({ length: 5120 }, (_, i) => from + i);
      await fixture.ingest(
        numbers.map((n) => request(day, n, day === 3 && n % 1000 === 9 ? null : projectOf((n * 31) % EVENTS)))
      );
    }
  }
  await sealAll(fixture);
  // The columns are searched for the first time.
  for (const column of ['note', 'md.path']) await expectSame(counts(`STRPOS(${column}, 'acorn') > 0`));
  await filtersOf(fixture).settled();
  // Late events, and a day that is not sealed.
  await fixture.ingest([0, 1, 2].map((n) => request(2, EVENTS + n, 'blue')));
  await fixture.ingest(['acorn', 'blue', null].map((project, n) => request(0, n, project)));
}, 120_000);

afterAll(async () => {
  expect(fixture.problems).toEqual([]);
  await fixture.remove();
});

function counts(where: string, facts: Omit<Call, 'text'> = {}): Call {
  const columns = `TIMESTAMP_TRUNC(timestamp, DAY) AS day, COUNT(*) AS n, COUNTIF(event_message = 'GET 3') AS threes`;
  const from = 'FROM events AS t CROSS JOIN UNNEST(t.metadata) AS md';
  return { text: `SELECT ${columns} ${from} WHERE ${where} GROUP BY day ORDER BY day`, ...facts };
}

/** Texts of the groups of the whole days, newest first. */
async function groupsOf(call: Call): Promise<readonly string[]> {
  const { query } = await filtersOf(fixture).narrow(compiled(fixture.store.catalog(), call), never);
  const split = query.split()!;
  return split.units.filter(({ isWhole }) => isWhole).map((unit) => split.createGroups(unit, 'g', 10).sql);
}

test('only rows of tenants that may have the text are read, and the column is not where all of them have it', async () => {
  const [open, late, some, none] = await groupsOf(counts(`REGEXP_CONTAINS(note, '//acorn')`));
  for (const text of [late, some, none]) expect(text).toMatch(/"project" IN \(CAST\(\$\d+ AS VARCHAR\)\)/);
  for (const text of [some, none]) expect(text).not.toContain('"note"');
  // Late events are not known.
  for (const text of [open, late]) expect(text).toContain('"note"');
  expect(open).not.toContain('"project"');
});

test('the column is read where an event lacks the text, and all tenants where all may have it', async () => {
  const [, , , blue] = await groupsOf(counts(`REGEXP_CONTAINS(note, '//blue')`));
  expect(blue).toContain('"project" IN');
  expect(blue).toContain('"note"');
  const [, , , all] = await groupsOf(counts(`REGEXP_CONTAINS(note, '/rest/v1')`));
  expect(all).not.toContain('"project"');
  expect(all).toContain('"note"');
});

test('a scan of a tenant reads its column or not, and no other condition', async () => {
  const [, , , own] = await groupsOf(counts(`REGEXP_CONTAINS(note, '//acorn')`, { tenant: 'acorn' }));
  expect(own).not.toContain('"note"');
  const [, , , other] = await groupsOf(counts(`REGEXP_CONTAINS(note, '//blue')`, { tenant: 'acorn' }));
  expect(other).toContain('"note"');
  for (const text of [own, other]) expect(text).not.toContain(' IN (');
});

test('kept counts are computed by these texts, and are used again', async () => {
  const call = counts(`REGEXP_CONTAINS(note, '//blue')`);
  const [first, again] = [await expectSame(call), await expectSame(call)];
  expect(first.rowCount).toBe(4);
  expect(first.days).toMatchObject({ read: 4 });
  expect(again.days).toMatchObject({ kept: 4 });
  expect(again.blocks).toBeUndefined();
});

test('a tenant with an event without the text is searched', async () => {
  for (const needle of ['//blue', '//copper', '//acorn', '//small1', '//nowhere', 'https://', 'acorns', 'zzzz'])
    await expectSame(counts(`STRPOS(note, @needle) > 0`, { needle }));
});

test('a condition on another row, or on a changed text, stays', async () => {
  const from = 'FROM events AS t WHERE';
  for (const text of [
    `SELECT COUNT(*) AS n ${from} REGEXP_CONTAINS(note, '//acorn') OR note IS NULL`,
    `SELECT COUNT(*) AS n ${from} NOT REGEXP_CONTAINS(note, '//acorn')`,
    `SELECT COUNT(*) AS n ${from} REGEXP_CONTAINS(LOWER(note), '//acorn') AND REGEXP_CONTAINS(note, '//acorn')`,
    `SELECT note, COUNT(*) AS n ${from} REGEXP_CONTAINS(note, '//acorn') GROUP BY note ORDER BY note`,
    `SELECT COUNT(*) AS n, COUNT(note) AS notes, MIN(note) AS least ${from} REGEXP_CONTAINS(note, '//acorn')`,
    `SELECT COUNT(*) AS n FROM events AS a LEFT JOIN events AS b ON a.id = b.id AND REGEXP_CONTAINS(b.note, '//acorn')`,
    `SELECT COUNT(*) AS n FROM (SELECT * FROM events ORDER BY id LIMIT 500) WHERE REGEXP_CONTAINS(note, '//acorn')`,
  ])
    await expectSame({ text });
});

test('redacted texts are compared as they are redacted', async () => {
  for (const needle of ['//acorn', 'example.org', 'REDACTED'])
    await expectSame(counts(`STRPOS(note, @needle) > 0`, { needle, redact: true }));
});

const condition = fc
  .tuple(
    fc.constantFrom(
      '//acorn',
      '//blue.',
      '//copper',
      'small1.ex',
      'acorns',
      'of/acorn',
      '/rest',
      'https://',
      'nowhere',
      'zz'
    ),
    fc.nat({ max: 7 })
  )
  .map(([text, kind]) => {
    const quoted = JSON.stringify(text);
    return [
      `REGEXP_CONTAINS(t.note, ${quoted})`,
      `REGEXP_CONTAINS(t.note, r'(?i)${text.toUpperCase()}')`,
      `STRPOS(t.note, ${quoted}) > 0`,
      `t.note LIKE '%${text}%'`,
      `t.note LIKE '%${text}%v1%'`,
      `CONTAINS_SUBSTR(t.note, ${quoted})`,
      `STARTS_WITH(t.note, 'https:${text}')`,
      `t.note = 'https:${text}.example.org/rest/v1/orders'`,
    ][kind]!;
  });
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: condition },
    fc.constantFrom(
      `t.project = 'blue'`,
      't.project IS NULL',
      `t.event_message = 'GET 3'`,
      `t.event_message LIKE '%ET 2%'`
    ),
    fc.tuple(tie('tree'), tie('tree')).map((both) => `(${both.join(' AND ')})`),
    fc.tuple(tie('tree'), tie('tree')).map((both) => `(${both.join(' OR ')})`),
    tie('tree').map((one) => `NOT (${one})`)
  ),
}));
const generated = fc
  .record({
    where: tree,
    shape: fc.nat({ max: 4 }),
    tenant: fc.constantFrom(null, null, null, 'acorn', 'blue', 'small1', 'unknown'),
    redact: fc.constantFrom(false, false, false, true),
  })
  .map(({ where, shape, ...rest }): Call => {
    const from = `FROM events AS t WHERE ${where}`;
    const text = [
      `SELECT TIMESTAMP_TRUNC(t.timestamp, DAY) AS day, COUNT(*) AS n ${from} GROUP BY 1 ORDER BY 1`,
      `SELECT t.project, COUNT(*) AS n, MAX(t.note) AS last ${from} GROUP BY 1 ORDER BY 1`,
      `WITH x AS (SELECT t.event_message AS m ${from}), y AS (SELECT m, COUNT(*) AS n FROM x GROUP BY m) SELECT SUM(n) AS n FROM y`,
      `SELECT t.id, t.note ${from} ORDER BY t.id LIMIT 200`,
      `SELECT t.id ${from} ORDER BY t.timestamp DESC, t.id LIMIT 5`,
    ][shape]!;
    return { text, ...rest };
  });

test('generated queries have the same rows with and without', async () => {
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(generated, async (call) => {
      kept += (await expectSame(call)).days?.kept ?? 0;
      kept += (await expectSame(call)).days?.kept ?? 0;
    }),
    { numRuns: 150 }
  );
  expect(kept).toBeGreaterThan(50);
}, 240_000);

describe('files', () => {
  const folder = (): string => join(fixture.dataDir, 'search');
  const names = (): string[] => readdirSync(folder()).filter((name) => name.endsWith('.values'));
  const isNarrowed = async (): Promise<boolean> =>
    (await groupsOf(counts(`REGEXP_CONTAINS(note, '//acorn')`))).some((text) => text.includes('"project" IN'));

  test('are used again after a start, for the columns that were searched before', async () => {
    // Two columns of three days.
    expect(names()).toHaveLength(6);
    await fixture.reopen();
    await filtersOf(fixture).settled();
    expect(await isNarrowed()).toBe(true);
    expect(names()).toHaveLength(6);
  });

  test('exclude nothing when they are damaged, and are built again', async () => {
    for (const name of names()) {
      const bytes = readFileSync(join(folder(), name));
      writeFileSync(join(folder(), name), bytes.fill(0, 0, 4000));
    }
    await fixture.reopen();
    await filtersOf(fixture).settled();
    const call = counts(`REGEXP_CONTAINS(note, '//acorn')`);
    await expectSame(call);
    await filtersOf(fixture).settled();
    await expectSame(call);
    expect(await isNarrowed()).toBe(true);
  });

  test('that a killed process was writing are deleted, and built at the next start', async () => {
    const [first] = names() as [string, ...string[]];
    const path = join(folder(), first);
    const whole = readFileSync(path);
    await fixture.store.close();
    writeFileSync(`${path}.new`, whole.subarray(0, whole.length / 2));
    rmSync(path);
    await fixture.reopen();
    await filtersOf(fixture).settled();
    expect(names()).toHaveLength(6);
    expect(existsSync(`${path}.new`)).toBe(false);
    // DuckDB returns the tenants in any order.
    expect(readFileSync(path)).toHaveLength(whole.length);
    expect(await isNarrowed()).toBe(true);
    for (const needle of ['//acorn', '//blue', '//small1', 'acorns'])
      await expectSame(counts(`STRPOS(note, @needle) > 0`, { needle }));
  });

  test('are replaced with the sealed part, and go with it', async () => {
    await sealAll(fixture);
    expect(await isNarrowed()).toBe(true);
    await fixture.store.enforceRetention(NOW_MICROS + (SOURCE.retention_days - 2) * DAY);
    await filtersOf(fixture).settled();
    // What is left is two days, one of them too small for filters of any tenant.
    expect(names().length).toBeLessThan(6);
    await expectSame(counts(`REGEXP_CONTAINS(note, '//acorn')`));
  });
});
