import buildServer from '../../support/processes/build-server';
import { type BadRequest, readBadRequests, requestBytes } from '../../support/cases/http/bad-requests';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';
import { writeRevocation, writeToken } from '../../support/servers/write-token';

let place: Place;
let service: ServiceProcess;
let words: Record<string, string>;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  words = {
    token: writeToken(place.dataDir, { name: 'all', scopes: ['query', 'adhoc', 'ingest', 'endpoints:read'] }),
    narrow: writeToken(place.dataDir, { name: 'narrow', scopes: ['metrics:read'] }),
    revoked: writeToken(place.dataDir, { name: 'revoked' }),
  };
  writeRevocation(place.dataDir, 'revoked');
  service = await startService(place);
}, 180_000);
afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
});

/** The command line makes no token that has expired already. */
const CASES = readBadRequests()
  .filter(({ request }) => !request.includes('{{expired}}'))
  .map((bad): [string, BadRequest] => [bad.name, bad]);

it.each(CASES)('a bad request over a socket is refused by the real engine: %s', async (_name, bad) => {
  const answer = await service.send(requestBytes(bad, words));
  expect([answer.status, answer.json().error.code]).toEqual([bad.status, bad.code]);
  expect(answer.json().error.details).toMatchObject({ ...bad.details, request_id: answer.headers['x-request-id'] });
});

it('bad requests store nothing, and the service is well after them', async () => {
  const headers = { 'X-API-KEY': PROCESS_TOKEN };
  const sql = encodeURIComponent('select count(*) as n from edge_logs');
  const count = await fetch(`${service.url}/api/endpoints/query/logs.all?project=a&sql=${sql}`, { headers });
  expect(await count.json()).toEqual({ result: [{ n: 0 }] });
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
});
