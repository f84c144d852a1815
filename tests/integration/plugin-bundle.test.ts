/** Builds the data source's browser part and reads what would be shipped. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PLUGIN_ID, EXECUTABLE } from '#contract/plugin/plugin';

const ROOT = path.resolve(__dirname, '..', '..');
const OUT = mkdtempSync(path.join(tmpdir(), 'plugin-bundle-'));
const MAX_BYTES = 400_000;

/** What every Grafana from 10.1.5 on hands to a plugin. */
const HANDED_BY_EVERY_HOST = [
  '@emotion/css',
  '@emotion/react',
  '@grafana/data',
  '@grafana/runtime',
  '@grafana/ui',
  'lodash',
  'module',
  'moment',
  'react',
  'react-dom',
  'rxjs',
  'rxjs/operators',
];

beforeAll(() => {
  const webpack = path.join(ROOT, 'node_modules', 'webpack', 'bin', 'webpack.js');
  const args = [webpack, '-c', './webpack.config.ts', '--env', 'production', '--output-path', OUT];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'pipe' });
}, 120_000);

afterAll(() => rmSync(OUT, { recursive: true, force: true }));

const read = (file: string): string => readFileSync(path.join(OUT, file), 'utf8');

test('module.js asks the host for nothing that an old host lacks', () => {
  const asked = /^define\((\[[^\]]*\])/m.exec(read('module.js'))?.[1];
  const names = JSON.parse(asked ?? 'null') as string[];
  expect(names).toContain('@grafana/data');
  expect(names.filter((name) => !HANDED_BY_EVERY_HOST.includes(name))).toEqual([]);
});

test.each(['jsx-runtime', 'ReactCurrentOwner', 'i18next', 'ZodType'])('module.js holds no %s', (words) => {
  expect(read('module.js')).not.toContain(words);
});

test('module.js is below 400 kB', () => {
  expect(statSync(path.join(OUT, 'module.js')).size).toBeLessThan(MAX_BYTES);
});

test('the manifest that is shipped is the one at the top of the project, and says what the code says', () => {
  const manifest = JSON.parse(read('plugin.json')) as { id: string; executable: string };
  expect(manifest).toMatchObject(JSON.parse(readFileSync(path.join(ROOT, 'plugin.json'), 'utf8')));
  expect(manifest).toMatchObject({ id: PLUGIN_ID, executable: EXECUTABLE });
});
