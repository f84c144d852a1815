/**
 * The statement of a cached plan equals a newly compiled one at any later time.
 *
 * @slow 20
 */
import fc from 'fast-check';
import { compile, type CompileRequest } from '#compiler/compile';
import type { Catalog, CatalogPart } from '#compiler/catalog/catalog';
import type { CompiledQuery, CompiledStatement } from '#compiler/output/compiled-query';
import { createPlanCache } from '#server/engine/query/plan-cache';
import { NOW_MICROS, openFixtureStore, readDefinition, readQueryCases } from '../../support/cases/sql/queries';
import type { OpenStore } from '../../support/stores/current';

const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const LOGS = readDefinition('logs.all');
const USAGE = readDefinition('usage.api-counts');

let fixture: OpenStore;
let catalog: Catalog;
beforeAll(async () => {
  fixture = await openFixtureStore();
  catalog = overDays(fixture.store.catalog());
}, 60_000);
afterAll(() => fixture.close());

function requestFor(part: Partial<CompileRequest>): CompileRequest {
  return {
    definition: LOGS,
    adhoc: null,
    parameters: { project: 'abcd', iso_timestamp_start: null, iso_timestamp_end: null },
    catalog,
    nowMicros: NOW_MICROS,
    maxRows: 1000,
    redaction: null,
    tenant: null,
    ...part,
  };
}

function written({ columns, maxRows, rowLimit, warnings, older, split, ...first }: CompiledQuery): unknown {
  const statement = ({ sql, values, reads }: CompiledStatement): unknown => ({ sql, values, reads });
  return { columns, maxRows, rowLimit, warnings, statements: [first, ...older].map(statement) };
}

/** The fixture's first part of each source, once for each day of two weeks. */
function overDays({ sources, ...rest }: Catalog): Catalog {
  const days = Array.from({ length: 15 }, (_, index) => Math.floor(NOW_MICROS / DAY) + 4 - index);
  const onDay = (part: CatalogPart, day: number): CatalogPart => ({
    ...part,
    table: `${part.table}+${day}`,
    fromMicros: day * DAY,
    toMicros: (day + 1) * DAY,
  });
  return {
    ...rest,
    sources: sources.map(({ parts: [first], ...source }) => ({
      ...source,
      parts: first === undefined ? [] : days.map((day) => onDay(first, day)),
    })),
  };
}

/** Equal requests at each of the times, to one planner and to the compiler. */
function expectSame(request: CompileRequest, times: readonly number[]): void {
  const plan = createPlanCache();
  for (const nowMicros of times) {
    const asked = { ...request, nowMicros };
    expect(written(plan(asked))).toEqual(written(compile(asked)));
  }
}

// Parts hold a day each: around midnight a window loses one.
const midnight = fc.integer({ min: -3, max: 9 }).map((days) => Math.floor(NOW_MICROS / DAY) * DAY + days * DAY);
const time = fc.oneof(
  fc.integer({ min: -3 * DAY, max: 3 * DAY }).map((shift) => NOW_MICROS + shift),
  fc.tuple(midnight, fc.integer({ min: -MINUTE, max: MINUTE })).map(([start, shift]) => start + shift)
);
const times = fc
  .tuple(time, fc.array(fc.oneof(fc.integer({ min: -6 * MINUTE, max: 6 * MINUTE }), fc.constant(0)), { maxLength: 4 }))
  .map(([first, shifts]) => [first, ...shifts.map((shift) => first + shift)]);

const unit = fc.constantFrom('MICROSECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY');
const moment: fc.Arbitrary<string> = fc.letrec<{ moment: string }>((tie) => ({
  moment: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('CURRENT_TIMESTAMP()', 'CURRENT_TIMESTAMP'),
    fc
      .tuple(fc.constantFrom('ADD', 'SUB'), tie('moment'), fc.integer({ min: -90, max: 90 }), unit)
      .map(([verb, start, n, size]) => `TIMESTAMP_${verb}(${start}, INTERVAL ${n} ${size})`),
    fc
      .tuple(tie('moment'), fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 90 }), unit)
      .map(([start, sign, n, size]) => `(${start} ${sign} INTERVAL ${n} ${size})`),
    fc.tuple(tie('moment'), unit).map(([start, size]) => `TIMESTAMP_TRUNC(${start}, ${size})`),
    tie('moment').map((start) => `IF(${start} < TIMESTAMP '2026-03-01 12:00:00+00', ${start}, CURRENT_TIMESTAMP())`),
    tie('moment').map((start) => `COALESCE(NULL, ${start})`),
    tie('moment').map((start) => `TIMESTAMP(DATETIME(${start}))`),
    tie('moment').map((start) => `TIMESTAMP(CAST(${start} AS STRING))`),
    tie('moment').map((start) => `TIMESTAMP_MICROS(UNIX_MICROS(${start}))`),
    tie('moment').map((start) => `TIMESTAMP(DATE(${start}))`),
    fc.constant('TIMESTAMP(CURRENT_DATE())'),
    fc.constant(`TIMESTAMP(CURRENT_DATETIME('Europe/Madrid'))`)
  ),
})).moment;

const condition = fc.oneof(
  fc.tuple(fc.constantFrom('>=', '>', '<', '<=', '=', '!='), moment).map(([sign, at]) => `t.timestamp ${sign} ${at}`),
  fc.tuple(moment, moment).map(([low, high]) => `t.timestamp BETWEEN ${low} AND ${high}`),
  moment.map((at) => `${at} > t.timestamp`),
  moment.map((at) => `EXTRACT(HOUR FROM ${at}) = EXTRACT(HOUR FROM t.timestamp)`),
  moment.map((at) => `t.id IN (SELECT u.id FROM edge_logs u WHERE u.timestamp < ${at})`)
);
const statement = fc
  .tuple(fc.array(condition, { minLength: 1, maxLength: 3 }), moment, fc.constantFrom('', ', t.timestamp DESC'))
  .map(
    ([conditions, at, order]) =>
      `SELECT t.id, ${at} AS moment FROM edge_logs t WHERE ${conditions.join(' AND ')} ORDER BY 1${order}`
  );

test('a cached plan gives the same statement as a new one, for any use of the time of the request', () => {
  fc.assert(
    fc.property(statement, times, (text, asked) => {
      expectSame(requestFor({ adhoc: { language: 'sql', text } }), asked);
    }),
    { numRuns: 400 }
  );
}, 120_000);

test.each(['minutely', 'hourly', 'daily'])(
  'a cached plan keeps the time windows of usage.api-counts, %s',
  (interval) => {
    const request = requestFor({ definition: USAGE, parameters: { interval, project: 'abcd' } });
    fc.assert(fc.property(times, (asked) => expectSame(request, asked)));
  }
);

test.each([
  'f:edge_logs t:last@hour',
  'f:edge_logs t:today',
  'f:edge_logs t:>2026-02-01',
  'f:edge_logs m.response.status_code:>=500',
])('a cached plan gives the same statement for LQL: %s', (text) => {
  const request = requestFor({ adhoc: { language: 'lql', text } });
  fc.assert(
    fc.property(times, (asked) => expectSame(request, asked)),
    { numRuns: 40 }
  );
});

test('a cached plan gives the same statement for each query of the corpus that compiles', () => {
  const asked = [NOW_MICROS, NOW_MICROS + 1, NOW_MICROS + 7 * MINUTE];
  let compared = 0;
  for (const { sql } of readQueryCases().flatMap(({ cases }) => cases)) {
    const request = requestFor({ adhoc: { language: 'sql', text: sql } });
    try {
      compile(request);
    } catch {
      continue;
    }
    expectSame(request, asked);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(100);
});

test('a time window that moves gives the same statement with other times', () => {
  const request = requestFor({ definition: USAGE, parameters: { interval: 'minutely', project: 'abcd' } });
  const plan = createPlanCache();
  const start = Math.floor(NOW_MICROS / (5 * MINUTE)) * 5 * MINUTE;
  const first = plan({ ...request, nowMicros: start });
  const outputs = [1, MINUTE, 5 * MINUTE - 1].map((shift) => plan({ ...request, nowMicros: start + shift }));
  expect(outputs.map(({ sql }) => sql)).not.toContain(first.sql);
  expect(
    new Set([first, ...outputs].map(({ sql }) => sql.replace(/TIMESTAMP '[^']*'|toInt64\('\d+'\)/g, '?'))).size
  ).toBe(1);
});

test('a plan is not used for another text, parameter, cap, catalog, redaction or definition', () => {
  const plan = createPlanCache();
  const text = 'SELECT t.id FROM edge_logs t';
  const base = requestFor({ adhoc: { language: 'sql', text } });
  const variants: CompileRequest[] = [
    base,
    { ...base, adhoc: { language: 'sql', text: `${text} LIMIT 1` } },
    { ...base, adhoc: null },
    { ...base, parameters: { ...base.parameters, project: 'efgh' } },
    { ...base, parameters: { ...base.parameters, project: null } },
    { ...base, maxRows: 5 },
    { ...base, catalog: { ...base.catalog, sources: base.catalog.sources.map((each) => ({ ...each, parts: [] })) } },
    { ...base, definition: { ...LOGS, query: LOGS.query.replaceAll('t.project = @project', 'TRUE') } },
  ];
  for (const request of [...variants, ...variants]) {
    expect(written(plan(request))).toEqual(written(compile(request)));
  }
});

test('a plan is cached for its tenant alone, whose name is bound and never printed', () => {
  const plan = createPlanCache();
  const base = requestFor({
    adhoc: { language: 'sql', text: 'SELECT t.id FROM edge_logs t WHERE 1 / LENGTH(t.id) > 0' },
  });
  const variants = [null, 'acme', 'victim'].map((tenant) => ({ ...base, tenant }));
  for (const request of [...variants, ...variants]) {
    const printed = plan(request);
    expect(written(printed)).toEqual(written(compile(request)));
    expect(printed.sql).not.toMatch(/acme|victim/);
    expect(printed.values.map(({ value }) => value).includes(request.tenant)).toBe(request.tenant !== null);
  }
});
