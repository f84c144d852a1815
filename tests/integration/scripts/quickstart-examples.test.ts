/**
 * Every example runs against the quickstart and returns rows.
 *
 * @slow 15
 */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, startProcess, type RunningProcess } from './script-process';

jest.setTimeout(120_000);

const PROJECT = 'acornharvestplatform';
const QUERIES = readdirSync(join(ROOT, 'examples', 'queries'));

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('the example', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lqe-examples-'));
  let server: RunningProcess;
  let variables: Record<string, string>;

  beforeAll(async () => {
    server = startProcess('scripts/quickstart.mjs', ['--edge-requests', '20000'], {
      LQE_PORT: '0',
      LQE_DATA_DIR: dataDir,
    });
    const text = await server.says('Ctrl-C stops the server');
    variables = {
      LQE_URL: /^Serving on (\S+)/m.exec(text)?.[1] ?? '',
      LQE_TOKEN: /^Token: (\S+)$/m.exec(text)?.[1] ?? '',
    };
  });

  afterAll(async () => {
    await server.end();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function run(file: string, ...args: string[]): Promise<{ code: number | null; text: string }> {
    const example = startProcess(file, args, variables);
    return { code: await example.exited, text: example.text() };
  }

  it.each([
    ['run-query.mjs', [join('examples', 'queries', QUERIES[0]!), PROJECT]],
    ['send-logs.mjs', [PROJECT]],
  ])('%s names a server that does not answer', async (name, args) => {
    const LQE_URL = `http://127.0.0.1:${await unusedPort()}`;
    const example = startProcess(join('examples', name), args, { ...variables, LQE_URL });
    expect(await example.exited).toBe(1);
    expect(example.text().trim()).toBe(`${LQE_URL} does not answer (ECONNREFUSED).`);
  });

  it.each(QUERIES)('query %s returns rows', async (name) => {
    const { code, text } = await run('examples/run-query.mjs', join('examples', 'queries', name), PROJECT);
    expect(text).toContain('(index)');
    expect(text).toMatch(/│ 0 +│/);
    expect(code).toBe(0);
  });

  it('client prints where a refused query is wrong', async () => {
    const file = join(dataDir, 'refused.sql');
    writeFileSync(file, 'select id\nfrom edge_log');
    const { code, text } = await run('examples/run-query.mjs', file, PROJECT);
    expect(text).toContain('(line 2, column 6)');
    expect(text).toContain('edge_logs');
    expect(code).toBe(1);
  });

  it('shipper sends events and reads them back', async () => {
    const first = await run('examples/send-logs.mjs', PROJECT);
    expect(first.text).toContain('"accepted":2,"duplicates":0,"rejected":0');
    expect(first.text).toContain('GET | 404 | /rest/v1/nothing');
    const second = await run('examples/send-logs.mjs', PROJECT);
    expect(second.text).toContain('"accepted":2,"duplicates":2,"rejected":0');
    expect(second.code).toBe(0);
  });
});
