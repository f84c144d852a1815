/** Results of ClickHouse that a proxy has cut. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Connection } from '../../../../server/stores/clickhouse/connection/connection';
import { isPassing, translateError } from '../../../../server/stores/clickhouse/connection/errors';

const WHOLE = '["1"]\n["2"]\nend\n';

let answer = '';
let server: Server;
let connection: Connection;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    // A proxy ends the response properly, whatever it has got of it.
    request.on('end', () => response.writeHead(200, { 'content-type': 'text/plain' }).end(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const user = { name: 'default', password: '' };
  connection = new Connection({ url, database: 'logs', writer: user, reader: user, cluster: null }, user);
});

afterAll(async () => {
  await connection.close();
  server.close();
});

test.each([
  ['rows', WHOLE, [['1'], ['2']]],
  ['no rows', 'end\n', []],
])('a whole result of %s is read', async (_, text, rows) => {
  answer = text;
  expect(await connection.rows({ sql: 'SELECT 1' })).toEqual(rows);
});

test.each([0, 3, 6, 9, 12, 15])(
  'a result that is cut after %d bytes is a failure that may be tried again',
  async (bytes) => {
    answer = WHOLE.slice(0, bytes);
    const failure: unknown = await connection.rows({ sql: 'SELECT 1' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(isPassing(failure)).toBe(true);
    expect(translateError(failure)).toMatchObject({ code: 'backend_unavailable', details: { reason: 'unreachable' } });
  }
);
