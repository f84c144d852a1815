/**
 * Descriptions of saved queries tell which fields have values that do not fit, to tokens that see all events.
 *
 * @slow 20
 */
import { type TokenPolicy, UNLIMITED_POLICY } from '#contract/tokens/token';
import buildServer from '../../support/processes/build-server';
import { startClickHouseEngine } from '../../support/processes/clickhouse';
import { createClickHouseStore } from '../../support/servers/clickhouse-store';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';
import { writeToken } from '../../support/servers/write-token';
import { connect, overHttp } from '../agents/ask-tools';

jest.setTimeout(120_000);

const POLICY: TokenPolicy = {
  ...UNLIMITED_POLICY,
  name: 'caller',
  scopes: ['query', 'adhoc', 'endpoints:read'],
  rate: 9_999_999,
};
/** Misfits of `request.port`, which is declared as INT64. */
const MISFIT = { source: 'edge_requests', field: 'request.port', type: 'INT64', values: 2 };

describe.each(['duckdb', 'clickhouse'])('%s', (store) => {
  let place: Place;
  let service: ServiceProcess;
  let stopStore = (): Promise<void> => Promise.resolve();

  beforeAll(async () => {
    await buildServer();
    place = createPlace();
    let settings: Readonly<Record<string, string>> = {};
    if (store === 'clickhouse') {
      const engine = await startClickHouseEngine();
      stopStore = () => engine.stop();
      settings = await createClickHouseStore(engine);
    }
    service = await startService(place, settings);
    const events = ['acme', 'victim', 'victim'].map((project, at) => ({
      project,
      message: 'a',
      metadata: { request: { port: at === 0 ? 443 : 'https' } },
    }));
    await fetch(`${service.url}/api/logs?source=edge_requests`, {
      method: 'POST',
      headers: { 'X-API-KEY': PROCESS_TOKEN },
      body: JSON.stringify(events),
    });
  });
  afterAll(async () => {
    await service?.stop();
    await stopStore();
    place.remove();
  });

  const describeQuery = async (token: string, name = 'logs.all'): Promise<{ misfits?: unknown }> => {
    const answer = await fetch(`${service.url}/api/endpoints/${name}`, { headers: { 'X-API-KEY': token } });
    return ((await answer.json()) as { result: { misfits?: unknown } }).result;
  };
  const describeLogs = async (token: string, table?: string) => {
    const agent = await connect(overHttp(service.url, token));
    const answer = await agent.call('describe_logs', { endpoint: 'logs.all', ...(table !== undefined && { table }) });
    await agent.close();
    return answer;
  };

  it('the saved queries that read the source have them', async () => {
    expect((await describeQuery(PROCESS_TOKEN)).misfits).toEqual([MISFIT]);
    expect((await describeQuery(PROCESS_TOKEN, 'usage.api-counts')).misfits).toEqual([MISFIT]);
  });

  it('agents see them, without the name of the source', async () => {
    for (const table of [undefined, 'edge_logs']) {
      const { structured, text } = await describeLogs(PROCESS_TOKEN, table);
      expect(structured['misfits']).toEqual([{ field: 'metadata.request.port', type: 'INT64', values: 2 }]);
      expect(text).toContain('metadata.request.port INT64  2');
      expect(text).not.toContain('edge_requests');
    }
  });

  it.each([
    ['a tenant', { tenant: 'acme' }],
    ['a fixed parameter that is a tenant', { fixed_parameters: { project: 'acme' } }],
    ['another fixed parameter', { fixed_parameters: { iso_timestamp_start: '2026-01-01T00:00:00Z' } }],
  ])('a token with %s does not see counts of others', async (_name, policy) => {
    const token = writeToken(place.dataDir, { ...POLICY, ...policy });
    // The server reads new tokens when it meets one.
    for (let attempt = 0; attempt < 50 && (await describeQuery(token)) === undefined; attempt++);
    const described = await describeQuery(token);
    expect([Object.keys(described).includes('tables'), described.misfits]).toEqual([true, undefined]);
    const { structured, text } = await describeLogs(token);
    expect([structured['misfits'], text.includes('another type')]).toEqual([undefined, false]);
  });
});
