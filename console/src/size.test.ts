/** The built console stays small: sizes as a browser loads them, with gzip. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const ASSETS = join(ROOT, 'build', 'console', 'assets');
const MAX_BYTES = 370_000;
const MAX_FIRST_BYTES = 180_000;

const sizeOf = (name: string): number => statSync(join(ASSETS, `${name}.gz`)).size;
const sum = (names: Iterable<string>): number => [...names].reduce((total, name) => total + sizeOf(name), 0);

/** A script with those that it imports before it runs. */
function withImports(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(ASSETS, name), 'utf8');
  for (const [, imported = ''] of text.matchAll(/(?:\bfrom|\bimport)"\.\/([\w.-]+\.js)"/g))
    withImports(imported, found);
  return found;
}

beforeAll(() => execFileSync(process.execPath, [join(ROOT, 'scripts', 'bundles', 'build-console.mjs')]), 60_000);

test('all of it takes at most 370 kB', () => {
  const assets = readdirSync(ASSETS).filter((name) => !/\.(?:gz|br)$/.test(name));
  expect(assets.length).toBeGreaterThan(5);
  expect(sum(assets)).toBeLessThan(MAX_BYTES);
});

test('what is loaded before the first page takes at most 180 kB', () => {
  const page = readFileSync(join(ROOT, 'build', 'console', 'index.html'), 'utf8');
  const named = [...page.matchAll(/\/console\/assets\/([\w.-]+)/g)].map(([, name = '']) => name);
  const scripts = named.filter((name) => name.endsWith('.js'));
  expect(scripts).toHaveLength(1);
  const loaded = new Set([...named, ...scripts.flatMap((name) => [...withImports(name)])]);
  // Without its imports, the script alone would be counted.
  expect(loaded.size).toBeGreaterThan(named.length);
  expect(sum(loaded)).toBeLessThan(MAX_FIRST_BYTES);
});
