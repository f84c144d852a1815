/**
 * The image builds the console from the folders that it copies: a folder that pages import and it lacks would fail
 * there only.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const SOURCES = join(ROOT, 'console', 'src');

const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

test('.dockerignore leaves everything in that the Dockerfile copies', () => {
  const copied = [...DOCKERFILE.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  const [first, ...kept] = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  expect(first).toBe('**');
  const missing = copied.filter((path) => !kept.some((each) => `${path}/`.startsWith(`${each.slice(1)}/`)));
  expect(missing).toEqual([]);
});

test('the Dockerfile copies every folder that the console imports from', () => {
  const copied = [...DOCKERFILE.matchAll(/^COPY (?!--)(\S+) \S+$/gm)].map(([, folder = '']) => folder);
  const imported = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes('.test.'))
    .flatMap((entry) => {
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
        relative(ROOT, resolve(entry.parentPath, path))
      );
    });
  expect(imported.some((path) => path.startsWith('src/language/'))).toBe(true);
  const missing = imported.filter((path) => !copied.some((folder) => path.startsWith(`${folder}/`)));
  expect(missing).toEqual([]);
});

test.each([
  [200, 0],
  [503, 1],
])('the health check asks the server at LQE_PORT: status %i is exit code %i', async (status, code) => {
  const [, command = '[]'] = /^HEALTHCHECK .*\\\n *CMD (\[.+\])$/m.exec(DOCKERFILE) ?? [];
  const [, ...args] = JSON.parse(command) as string[];
  const server = createServer((req, res) => res.writeHead(req.url === '/health/ready' ? status : 404).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const check = execFile(process.execPath, args, { env: { LQE_PORT: String(port) } });
  const [exitCode] = (await once(check, 'exit')) as [number];
  server.close();
  expect(exitCode).toBe(code);
});
