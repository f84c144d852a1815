/**
 * A token of a tenant gets the same responses whether or not a store has events of other tenants.
 *
 * @slow 40
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { type AdhocText } from '#contract/queries/query';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { describe as describeQuery, validateAdhoc } from '#compiler/compile';
import { readDefinition, readQueryCases } from '../support/cases/sql/queries';
import { STORE_UNDER_TEST } from '../support/stores/current';
import {
  answer,
  ingest,
  OPEN_LOGS,
  openTenantStores,
  ORACLES,
  SOURCES,
  TENANT,
  type TenantStores,
  VICTIM_MARK,
} from '../support/stores/tenants';

let stores: TenantStores;
beforeAll(async () => (stores = await openTenantStores()), 180_000);
afterAll(() => stores.close());

const oracles = parse(readFileSync(join(__dirname, '../corpus/tenants/oracles.yaml'), 'utf8')) as string[];
const sql = (text: string): AdhocText => ({ language: 'sql', text });
const lql = (text: string): AdhocText => ({ language: 'lql', text });

async function expectAlike(definition: typeof ORACLES, asked: Parameters<typeof answer>[2]): Promise<string> {
  const [own, shared] = await Promise.all([
    answer(stores.own, definition, asked),
    answer(stores.shared, definition, asked),
  ]);
  expect(shared).toEqual(own);
  const text = JSON.stringify(shared);
  expect(text).not.toContain(VICTIM_MARK);
  return text;
}

it.each(oracles)('no expression is evaluated for an event of another tenant: %s', async (text) => {
  await expectAlike(ORACLES, { adhoc: sql(text), redact: false });
  if (isAskedRedacted(text)) await expectAlike(ORACLES, { adhoc: sql(text), redact: true });
});

/** The stores take turns: redacted statements take long. `REDACTION_ATTACKS=all` asks all of them of both. */
function isAskedRedacted(text: string): boolean {
  const turn = STORE_UNDER_TEST === 'duckdb' ? 0 : 1;
  return process.env['REDACTION_ATTACKS'] === 'all' || oracles.indexOf(text) % 2 === turn;
}

it('most oracles give other rows without the tenant, so they can find a leak', async () => {
  let differ = 0;
  for (const text of oracles) {
    const own = await answer(stores.own, ORACLES, { adhoc: sql(text), tenant: null });
    const all = await answer(stores.shared, ORACLES, { adhoc: sql(text), tenant: null });
    if (JSON.stringify(own) !== JSON.stringify(all)) differ += 1;
  }
  expect(differ).toBeGreaterThan(oracles.length / 2);
}, 120_000);

describe.each(readQueryCases().map(({ file, cases }) => [file, cases] as const))('%s', (_file, cases) => {
  it('every query reads rows of the tenant alone, for any saved query', async () => {
    for (const { sql: text, saved, parameters = {} } of cases) {
      if (!saved) await expectAlike(OPEN_LOGS, { adhoc: sql(text) });
      else {
        const declared = Object.keys(parameters).map((name) => ({ name }));
        const checked = savedQuerySchema.safeParse({ ...OPEN_LOGS, name: 'case', query: text, parameters: declared });
        if (checked.success) await expectAlike(checked.data, { parameters: { ...parameters } });
      }
    }
  }, 180_000);
});

it.each([
  'f:edge_logs',
  'f:edge_logs m.response.status_code:0',
  'f:edge_logs m.response.status_code:>=0 s:id',
  'f:function_edge_logs c:count(*) c:group_by(t::hour)',
  'f:edge_logs VICTIM',
  'f:edge_logs "~."',
])('LQL reads the events of the tenant alone: %s', async (text) => {
  await expectAlike(OPEN_LOGS, { adhoc: lql(text) });
});

it('a saved query reads the events of the tenant alone, also when its parameter has another meaning', async () => {
  const usage = readDefinition('usage.api-counts');
  const text = await expectAlike(usage, { parameters: { interval: 'daily', project: '.' } });
  expect(text).toContain('total_rest_requests');
  for (const table of ['edge_logs', 'function_edge_logs', 'auth_logs', 'storage_logs'])
    await expectAlike(OPEN_LOGS, { adhoc: sql(`select id, metadata from ${table} order by id`) });
});

it('any text finds no row of another tenant', async () => {
  const name = fc.constantFrom('edge', 'relay');
  const condition = fc.constantFrom(
    'true',
    '1 = 1 or false',
    `e.event_message like '%${VICTIM_MARK}%'`,
    'not (e.id is null)',
    "e.id <> 'x' or cast(e.event_message as int64) > 0",
    'length(e.event_message) > 3'
  );
  const text = fc.tuple(
    name,
    name,
    condition,
    condition,
    fc.constantFrom('union all', 'union distinct', 'except distinct')
  );
  await fc.assert(
    fc.asyncProperty(text, async ([a, b, one, two, operator]) => {
      await expectAlike(ORACLES, {
        adhoc: sql(
          `select e.id from ${a} e where ${one} ${operator} select e.id from ${b} e where ${two} and exists (select 1 from ${a} x where x.id <> e.id and ${two}) order by id`
        ),
      });
    }),
    { numRuns: 60 }
  );
}, 120_000);

it('a tenant without events has no rows, and no expression is evaluated for it', async () => {
  for (const text of oracles.filter((each) => each.startsWith('select count(*) as n from edge where')))
    expect(await answer(stores.shared, ORACLES, { adhoc: sql(text), tenant: 'unknown' })).toEqual(
      await answer(stores.own, ORACLES, { adhoc: sql(text), tenant: 'unknown' })
    );
  const none = await answer(stores.shared, ORACLES, { tenant: 'unknown' });
  expect(JSON.stringify(none)).toContain('{\\"result\\":[]}');
});

it.each([
  `${TENANT}' OR '1'='1`,
  `${TENANT}\u0000`,
  '%',
  '_bcd',
  'ABCD',
  `${TENANT} `,
  '{p1:String}',
  '$1',
  '[]',
  '.*',
])('tenants are compared character by character: %j', async (tenant) => {
  const found = await answer(stores.shared, ORACLES, { adhoc: sql('select count(*) as n from edge'), tenant });
  expect(JSON.stringify(found)).toContain('[{\\"n\\":0}]');
});

it('a source without tenants has no rows for a tenant, and the response does not name it', async () => {
  const definition = savedQuerySchema.parse({
    ...ORACLES,
    query: 'WITH open AS (SELECT id FROM without_tenant) SELECT 1 AS one FROM open',
  });
  const denied = await answer(stores.shared, definition, {});
  expect(denied).toMatchObject({ error: { code: 'tenant_denied', details: { reason: 'source_without_tenant' } } });
  expect(JSON.stringify(denied)).not.toMatch(/open|"without_tenant/);
  expect(JSON.stringify(await answer(stores.shared, definition, { tenant: null }))).toContain('result');
});

it('events without a tenant, or with one in a list or a record, belong to no tenant', async () => {
  const at = { timestamp: '2026-03-01T11:30:00Z', event_message: 'odd' };
  const odd = [undefined, null, [TENANT], { ref: TENANT }, [{ ref: TENANT }]];
  const events = odd.map((project, n) => ({
    ...at,
    id: `odd-${n}`,
    metadata: { project, note: 'odd' },
  }));
  await ingest(stores.shared, { name: 'realtime_service' }, events);
  const definition = savedQuerySchema.parse({ ...ORACLES, query: 'SELECT t.id FROM realtime_service AS t' });
  for (const tenant of [TENANT, '', 'null', 'odd'])
    expect(JSON.stringify(await answer(stores.shared, definition, { tenant }))).toContain('{\\"result\\":[]}');
  expect(JSON.stringify(await answer(stores.shared, definition, { tenant: null }))).toContain('odd-0');
});

describe('names of fields that only events of other tenants have', () => {
  const definition = savedQuerySchema.parse({
    ...ORACLES,
    query: 'WITH logs AS (SELECT t.id, t.metadata FROM auth_service AS t) SELECT l.id, l.metadata FROM logs AS l',
  });
  beforeAll(async () => {
    const event = { id: 'hidden', timestamp: '2026-03-01T11:00:00Z', project: 'victim', event_message: 'x' };
    await ingest(stores.shared, { name: 'auth_service' }, [
      { ...event, metadata: { level: 'a', merger_plans: { secret_name: 1 } } },
    ]);
    const own = { ...event, id: 'own', project: TENANT, metadata: { level: 'b', own_field: 'mine' } };
    await ingest(stores.shared, { name: 'auth_service' }, [own]);
  });
  const shown = async (text: string): Promise<string> =>
    JSON.stringify(await answer(stores.shared, definition, { adhoc: sql(text) }));

  it('are shown only to tokens without a tenant', async () => {
    const described = (tenant: string | null) =>
      JSON.stringify(describeQuery(definition, stores.shared.catalog(), null, tenant));
    expect(described(null)).toContain('merger_plans');
    expect(described(TENANT)).not.toMatch(/merger|secret_name/);
    expect(described(TENANT)).toContain('level');
    for (const text of [
      'select metadata from logs',
      'select m.* from logs cross join unnest(metadata) m',
      'select * from logs cross join unnest(metadata) m',
      'select to_json_string(metadata) as j from logs',
      'select to_json(metadata) as j from logs',
      'select to_json(m) as j from logs cross join unnest(metadata) m',
      'select to_json(m).secret_name as j, json_keys(to_json(m), 1) as k from logs cross join unnest(metadata) m',
      'select m.merger_plan from logs cross join unnest(metadata) m',
      'select merger_plan from logs cross join unnest(metadata) m',
      'select secret_name from logs cross join unnest(metadata) m',
      'select metadata from logs union all select metadata from logs',
    ])
      expect((await shown(text)).replaceAll('\\"merger_plan\\"', '').replaceAll('secret_name\\"', '')).not.toMatch(
        /merger_plans|STRUCT<[^>]*secret_name/
      );
    const checked = validateAdhoc({
      ...{ definition, adhoc: sql('select metadata from logs'), parameters: {}, nowMicros: 0, redaction: null },
      ...{ catalog: stores.shared.catalog(), tenant: TENANT },
    });
    expect(JSON.stringify(checked)).not.toMatch(/merger|secret_name/);
  });

  it('are in no hint that says where a field is', async () => {
    expect(await shown('select level from logs')).toContain('write metadata[0].level');
    for (const text of [
      'select secret_name from logs',
      'select merger_plans from logs',
      'select merger_plans.secret_name from logs',
      'select m.secret_name from logs cross join unnest(metadata) m',
    ])
      expect(await shown(text)).not.toContain('write ');
  });

  it('do not prevent a tenant from reading undeclared fields of its own', async () => {
    expect(
      await shown('select m.own_field from logs cross join unnest(metadata) m where m.own_field is not null')
    ).toContain('mine');
    expect(await shown("select metadata from logs where id = 'own'")).toContain('own_field');
  });
});

it('every source of the repository can be read by a tenant', () => {
  expect(SOURCES.filter(({ tenant }) => tenant === null).map(({ name }) => name)).toEqual(['without_tenant']);
});
