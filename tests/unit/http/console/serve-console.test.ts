import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ServiceError } from '#contract/errors';
import { readConsole } from '#server/http/console/console-files';
import { serveConsole } from '#server/http/console/serve-console';
import { identifyRequest } from '#server/http/middleware/identify-request';
import { inOrder } from '#server/http/middleware/in-order';

const folder = mkdtempSync(path.join(tmpdir(), 'console-'));
let server: Server;
let url: string;

beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(path.join(folder, 'index.html.gz'), gzipSync('<!doctype html><title>page</title>'));
  writeFileSync(path.join(folder, 'assets', 'main-AB12.js'), 'let x = 1;');
  writeFileSync(path.join(folder, 'assets', 'main-AB12.js.br'), brotliCompressSync('let x = 1;'));
  writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  const answer = inOrder(
    identifyRequest(() => false),
    serveConsole(readConsole(folder))
  );
  server = createServer((req, res) => {
    try {
      answer(req, res, () => res.writeHead(404).end('passed on'));
    } catch (error) {
      res.writeHead((error as ServiceError).status).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['/', '/?a=1', '/console', '/console/queries/logs.all?sql=x'])('%s is the page', async (address) => {
  const answer = await fetch(url + address);
  expect(await answer.text()).toContain('<title>page</title>');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
});

test('a browser that has the page gets 304 instead', async () => {
  const tag = (await fetch(url)).headers.get('etag')!;
  expect((await fetch(url, { headers: { 'If-None-Match': tag } })).status).toBe(304);
});

test('a page has one tag for each of its codings', async () => {
  const tags = ['identity', 'gzip'].map(async (coding) => {
    const answer = await fetch(url, { headers: { 'Accept-Encoding': coding } });
    expect(answer.headers.get('content-encoding')).toBe(coding === 'gzip' ? 'gzip' : null);
    return answer.headers.get('etag');
  });
  const [plain, coded] = await Promise.all(tags);
  expect(coded).not.toBe(plain);
});

test('assets are kept for ever, and sent compressed where that is accepted', async () => {
  const answer = await fetch(`${url}/console/assets/main-AB12.js`, { headers: { 'Accept-Encoding': 'br' } });
  expect(await answer.text()).toBe('let x = 1;');
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(answer.headers.get('cache-control')).toContain('immutable');
  const plain = await fetch(`${url}/console/assets/main-AB12.js`, { headers: { 'Accept-Encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
});

test.each(['/console/assets/main-AB12.js.br', '/console/assets/..%2Fsecret.txt', '/consolation', '/api/endpoints'])(
  '%s is no file of the console',
  async (address) => {
    expect(await (await fetch(url + address)).text()).toBe('passed on');
  }
);

test('files are read only', async () => {
  for (const address of [url, `${url}/console/assets/main-AB12.js`]) {
    const refused = await fetch(address, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  }
  expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('without a built console every request is passed on', async () => {
  expect(readConsole(path.join(folder, 'missing'))).toBeNull();
});
