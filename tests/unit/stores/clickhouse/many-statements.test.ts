/** Statements beside as many queries as may run. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Connection } from '#server/stores/clickhouse/connection/connection';

it('a statement does not wait for 256 queries that run', async () => {
  const slow: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (Buffer.concat(chunks).toString('utf8').includes('slow')) slow.push(response);
      else response.end('["1"]\nend\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const user = { name: 'default', password: '' };
  const connection = new Connection({ url, database: 'logs', writer: user, reader: user, cluster: null }, user);
  const queries = Array.from({ length: 256 }, () => connection.rows({ sql: 'SELECT slow' }));
  expect(await connection.rows({ sql: 'SELECT 1' })).toEqual([['1']]);
  for (let answered = 0; answered < queries.length;) {
    for (const response of slow.splice(0)) {
      response.end('end\n');
      answered++;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(queries);
  await connection.close();
  server.close();
});
