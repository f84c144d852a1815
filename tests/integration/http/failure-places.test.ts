/** A failure of a run over HTTP: code, reason, position and hint, for saved queries, ad-hoc SQL and LQL. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';

const NUMBERS = `id: 4f4c1c1e-6c1b-4d3c-9d0a-1d2f3a4b5c6d
name: numbers
max_rows: 10
sandbox: true
parameters:
  - name: size
query: |
  WITH t AS (SELECT CAST(@size AS INT64) AS n, 'secret text' AS s)
  SELECT n,
    IF(n = 5, CAST(s AS INT64), n) AS m,
    n * n + 1 AS squared
  FROM t
`;

let place: Place;
let service: ServiceProcess;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  writeFileSync(join(place.endpointsDir, 'numbers.yaml'), NUMBERS);
  service = await startService(place);
}, 180_000);
afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
});

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

async function refusal(name: string, parameters: Readonly<Record<string, string>>): Promise<Refusal> {
  const target = `${service.url}/api/endpoints/query/${name}?${new URLSearchParams(parameters).toString()}`;
  const answer = await fetch(target, { headers: { 'X-API-KEY': PROCESS_TOKEN } });
  const { error } = (await answer.json()) as { error: Omit<Refusal, 'status'> };
  return { status: answer.status, code: error.code, message: error.message, details: error.details };
}

const adhoc = (sql: string): Promise<Refusal> => refusal('numbers', { size: '3', sql });
const invalid = { status: 400, code: 'query_invalid' };

it('a saved query names the function, the place and the parameter', async () => {
  expect(await refusal('numbers', { size: 'abc' })).toMatchObject({
    ...invalid,
    message: expect.stringContaining('"abc"') as unknown,
  });
  expect(await refusal('numbers', { size: '9223372036854775807' })).toMatchObject({
    ...invalid,
    message: '*: a number is outside the range of its type or function.',
    details: { reason: 'out_of_range', position: { line: 4, column: 3 } },
  });
});

it('a fixed text of a saved query is not shown', async () => {
  const refused = await refusal('numbers', { size: '5' });
  expect(refused).toMatchObject({ ...invalid, details: { reason: 'bad_cast', position: { line: 3, column: 13 } } });
  expect(JSON.stringify(refused)).not.toContain('secret');
});

it('ad-hoc SQL names the literal of the caller, and no value of a row', async () => {
  expect(await adhoc("select n,\n  cast('12ms' as int64) as v from t")).toMatchObject({
    ...invalid,
    message: expect.stringContaining('CAST: "12ms"') as unknown,
    details: { reason: 'bad_cast', position: { line: 2, column: 3 } },
  });
  const ofRow = await adhoc('select cast(s as int64) as v from t');
  expect(ofRow).toMatchObject({ ...invalid, details: { reason: 'bad_cast', position: { line: 1, column: 8 } } });
  expect(JSON.stringify(ofRow)).not.toContain('secret');
});

it('ad-hoc SQL names the operator of several that left its range', async () => {
  const sql = 'select n + 9223372036854775807 * n as v from t';
  expect(await adhoc(sql)).toMatchObject({
    ...invalid,
    message: expect.stringMatching(/^\*: /) as unknown,
    details: { reason: 'out_of_range', position: { line: 1, column: 12 } },
  });
});

it('a message of ERROR is shown', async () => {
  expect(await adhoc("select if(n > 2, error('too many'), n) as v from t")).toMatchObject({
    ...invalid,
    message: 'ERROR: too many',
    details: { reason: 'error_called', position: { line: 1, column: 18 } },
  });
  expect((await adhoc('select error(s) as v from t')).message).not.toContain('secret');
});

it('a refusal has a hint', async () => {
  expect(await adhoc('select iferror((select 1 / n), 0) as v from t')).toMatchObject({
    status: 400,
    code: 'sandbox_violation',
    details: { reason: 'not_supported', position: { line: 1, column: 16 }, hint: 'compute it in FROM or WITH first' },
  });
});

it('LQL has positions of its own text', async () => {
  const lql = 'f:edge_logs m.response.status_code:ok';
  expect(await refusal('logs.all', { project: 'abcd', lql })).toMatchObject({
    ...invalid,
    details: { position: { line: 1, column: 36 } },
  });
});
