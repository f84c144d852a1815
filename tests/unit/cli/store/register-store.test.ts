import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { registerStore } from '#server/cli/store/register-store';

const before = { ...process.env };
let server: Server;

beforeEach(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  process.env.LQE_CLICKHOUSE_URL = `http://127.0.0.1:${port}`;
});
afterEach(() => {
  for (const name of ['LQE_STORE', 'LQE_CLICKHOUSE_URL']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

function lqe(...args: string[]): Promise<unknown> {
  const program = new Command('lqe');
  registerStore(program);
  return program.parseAsync(['store', ...args], { from: 'user' });
}

it.each(['init', 'migrate', 'check'])('%s without LQE_STORE says which settings it needs', async (word) => {
  delete process.env.LQE_STORE;
  const failure = lqe(word);
  await expect(failure).rejects.toThrow(
    /^ClickHouse does not answer \(set LQE_STORE=clickhouse and LQE_CLICKHOUSE_URL; /
  );
});

it('init with LQE_STORE=clickhouse says only that ClickHouse does not answer', async () => {
  process.env.LQE_STORE = 'clickhouse';
  await expect(lqe('init')).rejects.toThrow(/^ClickHouse does not answer(?! \()/);
});
