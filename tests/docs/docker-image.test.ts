/** The image builds the console from the folders that it copies: a folder that pages import and it lacks would fail there only. */
import { readdirSync, readFileSync } from 'node:fs';
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
