/** A sender of one tenant tries to use up the fields of a source, which all tenants share. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FieldUse } from '#contract/queries/description';
import { MAX_COLUMNS, MAX_FIELDS } from '#server/stores/ingest/limits';
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';
import { writeToken } from '../../support/servers/write-token';

const SOURCE = 'edge_requests';
const FIELDS_PER_REQUEST = 1000;

interface Answer {
  readonly result?: readonly Record<string, unknown>[];
  readonly error?: { readonly code: string; readonly details?: { readonly hint?: string } };
}

/** @param prepare makes the store @returns further settings of the server */
export function describeSharedFields(prepare: () => Promise<Readonly<Record<string, string>>>): void {
  jest.setTimeout(120_000);
  let place: Place;
  let settings: Readonly<Record<string, string>>;
  let service: ServiceProcess;
  let tokens: Readonly<Record<string, string>>;

  beforeAll(async () => {
    await buildServer();
    place = createPlace();
    settings = await prepare();
    const ofTenant = (tenant: string) =>
      writeToken(place.dataDir, { name: tenant, scopes: ['ingest', 'query', 'adhoc'], tenant });
    tokens = { greedy: ofTenant('greedy'), victim: ofTenant('victim') };
    service = await startService(place, settings);
  }, 300_000);

  afterAll(async () => {
    await service.stop('SIGINT');
    place.remove();
  });

  const send = async (tenant: string, metadata: object): Promise<void> => {
    const response = await fetch(`${service.url}/api/logs?source=${SOURCE}`, {
      method: 'POST',
      headers: { 'X-API-KEY': tokens[tenant]!, 'Content-Type': 'application/json' },
      body: JSON.stringify([{ event_message: `of ${tenant}`, metadata }]),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ result: { accepted: 1, rejected: 0 } });
  };

  const newFields = (prefix: string) =>
    Object.fromEntries(Array.from({ length: FIELDS_PER_REQUEST }, (_, n) => [`${prefix}_${n}`, n]));

  const query = async (tenant: string, sql: string): Promise<Answer> => {
    const response = await fetch(
      `${service.url}/api/endpoints/query/logs.all?${new URLSearchParams({ project: tenant, sql }).toString()}`,
      { headers: { 'X-API-KEY': tokens[tenant]! } }
    );
    return (await response.json()) as Answer;
  };

  const read = async (path: string, token = PROCESS_TOKEN) => {
    const response = await fetch(`${service.url}${path}`, { headers: { 'X-API-KEY': token } });
    return { status: response.status, text: await response.text() };
  };

  const use = async (): Promise<FieldUse> => {
    const { result } = JSON.parse((await read('/api/sources')).text) as {
      result: readonly { readonly name: string; readonly nested_fields: FieldUse }[];
    };
    return result.find(({ name }) => name === SOURCE)!.nested_fields;
  };

  const ofTenant = async (tenant: string) => (await use()).tenants.find((each) => each.tenant === tenant);

  it('it gets half of the fields and columns, also after the server was killed', async () => {
    for (let request = 0; request < 6; request++) await send('greedy', newFields(`g${request}`));
    await service.stop('SIGKILL');
    service = await startService(place, settings);
    const taken = await use();
    expect(taken).toMatchObject({ fields: MAX_FIELDS / 2, columns: MAX_COLUMNS / 2 });
    expect((await ofTenant('greedy'))!.fields).toBeGreaterThan(MAX_FIELDS / 3);
    await send('greedy', { ...newFields('more'), record_of_greedy: { x: 1 } });
    expect(await use()).toEqual(taken);
  });

  it('the records and fields of another tenant can be queried by name', async () => {
    await send('victim', { purchase: { total: 17 }, coupon: 'none' });
    const sql =
      'select p.total, m.coupon from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.purchase) as p';
    expect(await query('victim', sql)).toMatchObject({ result: [{ total: 17, coupon: 'none' }] });
    expect(await ofTenant('victim')).toEqual({ tenant: 'victim', fields: 3, columns: 3 });
  });

  it('the values of its further fields are in the event, and a query that names one says why it does not exist', async () => {
    const sql = 'select m.record_of_greedy from edge_logs as t cross join unnest(t.metadata) as m';
    expect(await query('greedy', sql)).toMatchObject({
      error: { code: 'query_invalid', details: { hint: expect.stringContaining('has no room for another field') } },
    });
    const whole = await query('greedy', 'select t.metadata from edge_logs as t order by t.timestamp desc limit 1');
    expect(JSON.stringify(whole.result)).toContain('"record_of_greedy":');
  });

  it('operators see who uses the fields: in metrics, in the list of sources and in a few lines of the log', async () => {
    const { text } = await read('/metrics');
    expect(text).toContain(`logquery_source_fields_max{source="${SOURCE}"} ${MAX_FIELDS}`);
    expect(text).toContain(`logquery_source_columns_max{source="${SOURCE}"} ${MAX_COLUMNS}`);
    expect(text).toMatch(new RegExp(`logquery_source_fields\\{source="${SOURCE}"\\} ${MAX_FIELDS / 2 + 3}\\n`));
    for (let n = 0; n < 20; n++) await send('greedy', { [`again_${n}`]: n });
    await delay(100);
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('values of events get no name in queries'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ source: SOURCE, tenant: 'greedy', columns: MAX_COLUMNS / 2 });
    expect((await read('/api/sources', tokens['victim'])).status).toBe(403);
  });
}
