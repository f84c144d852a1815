/** LQL over HTTP: the built server, its engine and a store. */
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const KEY = { 'X-API-KEY': PROCESS_TOKEN };
const JSON_TYPE = { ...KEY, 'Content-Type': 'application/json' };
/** The last whole minute but five: no case stands at the border of its range. */
const NOW = Math.floor(Date.now() / 60_000) * 60_000 - 5 * 60_000;

let place: Place;
let service: ServiceProcess;

const EVENTS = ['/rest/v1/a', '/storage/v1/b', '/auth/v1/rest', '/other'].map((path, index) => ({
  id: `event-${index}`,
  timestamp: new Date(NOW - index * 1000).toISOString(),
  project: index === 3 ? 'zzz' : 'wxyz',
  event_message: `GET ${path}`,
  metadata: { request: { path, method: 'GET' }, response: { status_code: index === 1 ? 500 : 200 } },
}));

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  service = await startService(place);
  const answer = await fetch(`${service.url}/api/logs?source=edge_requests`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(EVENTS),
  });
  expect(answer.status).toBe(200);
}, 180_000);
afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
});

// Answers are looked into freely: a wrong shape fails the expectation.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- parsed JSON, whose shape the tests check
const json = async (answer: Response): Promise<any> => answer.json();
const CALL = '/api/endpoints/query/logs.all';
const get = (lql: string, more = '') =>
  fetch(`${service.url}${CALL}?project=wxyz&lql=${encodeURIComponent(lql)}${more}`, { headers: KEY });
const idsOf = async (answer: Response) => {
  const body = await json(answer);
  expect([answer.status, body.error]).toEqual([200, undefined]);
  return body.result.map(({ id }: { id: string }) => id);
};

it.each([
  ['f:edge_logs', ['event-0', 'event-1', 'event-2']],
  ['f:edge_logs rest', ['event-0', 'event-2']],
  ['f:edge_logs m.response.status_code:>=500 t:last@1h', ['event-1']],
  ['f:edge_logs -m.response.status_code:500', ['event-0', 'event-2']],
  ['f:edge_logs m.request.path:~"^/(rest|auth)" s:id', ['event-0', 'event-2']],
  ['f:auth_logs', []],
])('an LQL call returns its rows: %s', async (lql, ids) => {
  expect(await idsOf(await get(lql))).toEqual(ids);
});

it.each(['POST', 'QUERY'])('LQL may be in the body of %s', async (method) => {
  const send = (body: object) => fetch(service.url + CALL, { method, headers: JSON_TYPE, body: JSON.stringify(body) });
  expect(await idsOf(await send({ params: { project: 'wxyz' }, lql: 'f:edge_logs storage' }))).toEqual(['event-1']);
  expect(await idsOf(await send({ project: 'wxyz', lql: 'f:edge_logs storage' }))).toEqual(['event-1']);
});

it('LQL keeps the filters of the saved query', async () => {
  expect(await idsOf(await get('f:edge_logs other'))).toEqual([]);
  const bound = `&iso_timestamp_end=${encodeURIComponent(EVENTS[1]!.timestamp)}`;
  expect(await idsOf(await get('f:edge_logs', bound))).toEqual(['event-1', 'event-2']);
});

it('LQL counts events by time for charts', async () => {
  const { result } = await json(
    await get('f:edge_logs c:count(*) c:group_by(t::1d) c:group_by(m.response.status_code)')
  );
  const counts = result.map((row: Record<string, number>) => [row['metadata_response_status_code'], row['count']]);
  const total = counts.reduce((sum: number, [, count]: [number, number]) => sum + count, 0);
  expect(total).toBe(3);
  expect(counts).toContainEqual([500, 1]);
});

it('an error of an LQL query names the LQL text and its position', async () => {
  const answer = await get('f:edge_logs\n m.respons.status_code:500');
  expect(answer.status).toBe(400);
  expect((await json(answer)).error).toMatchObject({
    code: 'query_invalid',
    details: {
      reason: 'unknown_column',
      position: { line: 2, column: 4 },
      offset: 15,
      length: 7,
      hint: 'did you mean "response"?',
      request_id: expect.any(String),
    },
  });
});

it.each([
  ['several tables', 'error', 'query_invalid', 'table_required'],
  ['a source', 'f:edge_requests', 'sandbox_violation', 'unknown_table'],
  ['a name that nothing has', 'f:edge_requeste', 'sandbox_violation', 'unknown_table'],
  ['a regular expression', 'f:edge_logs ~"("', 'query_invalid', 'bad_regex'],
  ['too long a text', 'a'.repeat(8193), 'query_too_complex', 'too_long'],
])('the LQL text %s is refused', async (_name, lql, code, reason) => {
  const { error } = await json(await get(lql));
  expect([error.code, error.details.reason]).toEqual([code, reason]);
});

it('a source is refused with the same message as a name that does not exist', async () => {
  const refuse = async (table: string) => {
    const { error } = await json(await get(`f:${table}`));
    return [error.message.replace(table, ''), error.details.hint, error.details.tables];
  };
  expect(await refuse('edge_requests')).toEqual(await refuse('edge_requeste'));
});

it('LQL is refused beside SQL, without a sandbox, or empty', async () => {
  const refused = async (answer: Response) => [answer.status, (await json(answer)).error.code];
  expect(await refused(await get('f:edge_logs', '&sql=select+1'))).toEqual([400, 'parameter_conflict']);
  expect(await refused(await get(' '))).toEqual([400, 'sql_empty']);
  const closed = await fetch(`${service.url}/api/endpoints/query/closed?lql=error`, { headers: KEY });
  expect(await refused(closed)).toEqual([400, 'sandbox_disabled']);
});

it('a warning names parts of an LQL text that are surely not meant', async () => {
  const answer = await fetch(
    `${service.url}${CALL}?project=wxyz&lql=${encodeURIComponent('f:edge_logs m.response.status_code:9..1')}`,
    {
      headers: { ...KEY, 'SVC-ENDPOINT-META': 'true' },
    }
  );
  expect(answer.headers.get('svc-endpoint-warnings')).toBe('empty_range');
  const { result, meta } = await json(answer);
  expect([result, meta.warnings]).toEqual([
    [],
    [expect.objectContaining({ code: 'empty_range', offset: 35, length: 4 })],
  ]);
  expect((await get('f:edge_logs')).headers.has('svc-endpoint-warnings')).toBe(false);
});

it('an LQL text can be checked without a run', async () => {
  const validate = async (lql: string) => {
    const body = JSON.stringify({ endpoint: 'logs.all', lql });
    return json(await fetch(`${service.url}/api/endpoints/validate`, { method: 'POST', headers: JSON_TYPE, body }));
  };
  expect((await validate('metadata.response.status_code:9..1 from:edge_logs s:id')).result).toEqual({
    canonical: 'f:edge_logs s:id m.response.status_code:9..1',
    sql:
      'SELECT t.id AS id FROM edge_logs AS t' +
      ' WHERE t.metadata[SAFE_OFFSET(0)].response[SAFE_OFFSET(0)].status_code BETWEEN 9 AND 1 ORDER BY t.timestamp DESC',
    fields: [{ name: 'id', type: 'STRING' }],
    parameters: [],
    tables: ['edge_logs'],
    warnings: [expect.objectContaining({ code: 'empty_range', offset: 30, length: 4 })],
  });
  expect((await validate('f:edge_logs t:soon')).error.details).toMatchObject({ reason: 'bad_time', offset: 14 });
});

it('the log has no part of the texts', () => {
  expect(service.output()).not.toMatch(/wxyz|edge_logs|status_code|event-\d/i);
});
