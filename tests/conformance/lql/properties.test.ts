/**
 * Properties of every LQL text, on a real store.
 *
 * @slow 25
 */
import fc from 'fast-check';
import { ServiceError } from '#contract/errors';
import { compile } from '#compiler/compile';
import { parseLql } from '#compiler/lql/parser/parse-lql';
import { printLql } from '#compiler/lql/encode/print-lql';
import { quote } from '#compiler/lql/encode/print-text';
import { lowerLql } from '#compiler/lql/lower/lower-lql';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';
import { printCanonical } from '#compiler/sql/canonical/print-canonical';
import type { LogStore } from '#server/stores/store';
import { arbitraryLqlText, arbitraryValueText } from '../../support/arbitrary/lql';
import {
  compileRequest,
  LQL_NOW,
  lqlTables,
  openLqlStore,
  readLqlCases,
  runLql,
  validateLql,
} from '../../support/cases/lql';
import { STORE_UNDER_TEST, type OpenStore } from '../../support/stores/current';
import { withoutIndexes } from '../../support/stores/without-indexes';
import { withoutPositions } from '../../support/references/without-positions';

let fixture: OpenStore;
let store: LogStore;

beforeAll(async () => {
  fixture = await openLqlStore();
  store = fixture.store;
}, 60_000);

afterAll(() => fixture.close());

const ALL = ['9f8e7d', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7'];
const idsOf = async (lql: string) => (await runLql(store, { lql: `s:id ${lql}` })).map(({ id }) => String(id));

const arbitraryFilter = fc.oneof(
  arbitraryValueText.map(quote),
  fc.constantFrom('~^GET', '~"[0-9]"', '~(?i)ERROR'),
  fc
    .tuple(
      fc.constantFrom('event_message', 'id', 'm.level', 'm.request.method', 'm.code', 'm.plan', 'm.items.sku'),
      fc.constantFrom(':', ':>', ':>=', ':<', ':<=', ':!='),
      fc.oneof(arbitraryValueText.map(quote), fc.constantFrom('error', 'GET', 'NULLABLE', '200', 'A', '"NULL"'))
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('m.response.status_code', 'm.latency', 'm.delta', 'm.items.n', 'm.a'),
      fc.constantFrom(':', ':>', ':>=', ':<', ':<='),
      fc.integer({ min: -10, max: 600 }).map(String)
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('m.plan:NULL', 'm.request.path:NULL', 'm.items.sku:NULL', 'm.open:true', 'm.open:!=false'),
  fc.constantFrom('m.tags:@>prod', 'm.tags:@>~e', 'm.ids:@>9', 'm.level:info..critical', 'm.level:alert..debug'),
  fc.constantFrom('m.response.status_code:200..404', 'm.latency:0..9.5', 'm.count:9..1', 'm.level:in(error,info)'),
  fc.constantFrom('t:today', 't:>=2026-03-17', 't:last@2w', 't:2026-03-16..2026-03-17', 't:now', 't:<1710683223')
);

test('a filter and its negation divide the rows completely and without overlap', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryFilter, async (filter) => {
      const [kept, left] = [await idsOf(filter), await idsOf(`-${filter}`)];
      expect([...kept, ...left].sort()).toEqual(ALL);
    }),
    { numRuns: 300 }
  );
}, 60_000);

test('filters are joined by AND, and their order does not matter', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryFilter, arbitraryFilter, async (a, b) => {
      const [first, second] = [await idsOf(a), await idsOf(b)];
      const both = ALL.filter((id) => first.includes(id) && second.includes(id));
      expect((await idsOf(`${a} ${b}`)).sort()).toEqual(both);
      expect((await idsOf(`${b} ${a}`)).sort()).toEqual(both);
    }),
    { numRuns: 100 }
  );
}, 60_000);

/** The statement with the value in quotes. Short texts are not looked up in an index: no condition is added. */
function statementFor(before: string, value: string, after = ''): string {
  const request = compileRequest(store, { lql: `${before}${quote(value)}${after}` });
  return compile({ ...request, catalog: withoutIndexes(request.catalog) }).sql;
}

test.each([
  '',
  '-',
  'event_message:',
  '-id:',
  'm.level:',
  'm.level:>=',
  'm.items.sku:',
  '-m.items.sku:',
  'm.tags:@>',
  's:id m.level:in(never-drawn,',
])('no value after %j changes the structure of the statement', (before) => {
  const after = before.endsWith(',') ? ')' : '';
  const expected = statementFor(before, 'x', after);
  fc.assert(
    fc.property(arbitraryValueText, (value) => {
      expect(statementFor(before, value, after)).toBe(expected);
    }),
    { numRuns: 200 }
  );
});

test('a value is found literally, with any characters', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryValueText, async (value) => {
      const expected = 'GET /rest/v1 error: connection reset'.includes(value) ? ['e1'] : [];
      expect(await idsOf(`m.level:error ${quote(value)}`)).toEqual(expected);
    }),
    { numRuns: 200 }
  );
}, 60_000);

test.each(
  readLqlCases().flatMap(({ cases }) =>
    cases.filter(({ error }) => !error).map((testCase) => [testCase.lql, testCase] as const)
  )
)('%s gives the same statement as its SQL', (lql, testCase) => {
  const { tree } = lowerLql(
    parseLql(lql),
    { tables: lqlTables(store, testCase.in), defaultTable: null },
    () => BigInt(Date.parse(LQL_NOW)) * 1000n
  );
  expect(withoutPositions(parseStatement(printCanonical(tree)))).toEqual(withoutPositions(tree));
});

test('any text is compiled, or refused with a reason and a position', () => {
  fc.assert(
    fc.property(arbitraryLqlText, fc.constantFrom('one', 'many'), (text, name) => {
      const lql = name === 'one' ? text : `f:wide ${text}`;
      try {
        const { canonical } = validateLql(store, { lql, in: name });
        expect(validateLql(store, { lql: canonical, in: name }).canonical).toBe(canonical);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        expect(error.status).toBe(400);
        expect(error.details).toMatchObject({ reason: expect.any(String), position: { line: expect.any(Number) } });
        expect(JSON.stringify(error.toBody())).not.toMatch(/unnest|offset\(|metadata\[|SELECT/i);
      }
    }),
    { numRuns: 1_500 }
  );
}, 60_000);

// Only the embedded store has a table for each day.
if (STORE_UNDER_TEST === 'duckdb') {
  test.each([
    ['c:count(*) t:today', ['2026-03-18']],
    ['c:count(*) t:2026-03-16..2026-03-17', ['2026-03-16', '2026-03-17']],
    ['c:count(*) error t:>=2026-03-17 t:<2026-03-18', ['2026-03-17']],
    ['t:<2025-01-01', ['2024-03-17']],
  ])('%s reads only the days it asks for', (lql, days) => {
    const { sql, older } = compile(compileRequest(store, { lql }));
    const statements = [sql, ...[...older].map((statement) => statement.sql)].join(' ');
    expect([...new Set([...statements.matchAll(/"edge\/([\d-]+)"/g)].map(([, day]) => day))].sort()).toEqual(days);
  });

  test('the newest rows are read from the newest day first', () => {
    expect([...compile(compileRequest(store, { lql: 'm.level:error' })).older].length).toBeGreaterThan(0);
  });
}

test('each printed query is read as itself', () => {
  for (const { cases } of readLqlCases()) {
    for (const { lql, error } of cases) {
      if (error) continue;
      const printed = printLql(parseLql(lql));
      expect(printLql(parseLql(printed))).toBe(printed);
    }
  }
});

test('a nested repetition over a long text ends', async () => {
  expect(await idsOf('~"^(([a-z])+.)+[A-Z]([a-z])+$" ~"(a*)*b"')).toEqual([]);
});
