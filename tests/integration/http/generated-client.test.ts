/**
 * The client of docs/clients.md: its types are generated from the document of a real server, and it gets real rows.
 *
 * @slow 25
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { EVENT_COUNT, type SampleService, startSampleService } from '../../backend/support/sample-service';
import buildServer from '../../support/processes/build-server';
import { PROCESS_TOKEN } from '../../support/servers/spawned';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const EXAMPLE = /```ts\n(.*?)```/s.exec(readFileSync(path.join(ROOT, 'docs', 'clients.md'), 'utf8'))![1]!;
const run = promisify(execFile);

/** The example's compilation has read the generated declarations, and those of packages. */
const DECLARATIONS_CHECKED = ['--skipLibCheck', '--noEmit'];

let sample: SampleService;
let folder: string;

const program = (name: string) => path.join(ROOT, 'node_modules', '.bin', name);
const compile = (options: readonly string[], ...files: readonly string[]) =>
  run(program('tsc'), [
    ...options,
    ...['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--types', 'node'],
    ...['--module', 'nodenext', '--target', 'es2022'],
    ...files.map((file) => path.join(folder, file)),
  ]).then(
    () => '',
    (error: { stdout: string }) => error.stdout
  );

beforeAll(async () => {
  await buildServer();
  sample = await startSampleService();
  // Below the packages of the project, as a client is below its own.
  mkdirSync(path.join(ROOT, 'build'), { recursive: true });
  folder = mkdtempSync(path.join(ROOT, 'build', 'client-'));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const answer = await fetch(`${sample.service.url}/api/openapi.json`, { headers: { 'X-API-KEY': PROCESS_TOKEN } });
  writeFileSync(path.join(folder, 'log-queries.json'), await answer.text());
  await run(program('openapi-typescript'), ['log-queries.json', '--output', 'log-queries.d.ts'], { cwd: folder });
}, 120_000);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sample?.stop();
});

test('the example compiles and prints the rows', async () => {
  writeFileSync(path.join(folder, 'client.ts'), EXAMPLE);
  expect(await compile([], 'client.ts')).toBe('');
  const { stdout } = await run(process.execPath, ['client.js'], {
    cwd: folder,
    env: { ...process.env, LQE_URL: sample.service.url, LQE_TOKEN: PROCESS_TOKEN },
  });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.at(-1)).toBe(String(EVENT_COUNT));
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.slice(0, -1)).toEqual(
    lines.slice(0, -1).map(() => expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\S+ \d+$/))
  );
});

test('what the service would refuse does not compile', async () => {
  const mistakes = {
    'a parameter that is not declared': [`interval: 'hourly'`, `span: 'hourly'`],
    'a value that is not allowed': [`interval: 'hourly'`, `interval: 'yearly'`],
    'a required parameter that is absent': [`, project: 'acornharvestplatform'`, ''],
    'a column that does not exist': ['total_rest_requests } of', 'total_requests } of'],
    'a path that does not exist': ['query/usage.api-counts', 'query/usage.api-count'],
  } as const;
  const files = Object.values(mistakes).map(([written, wrong], at) => {
    expect(EXAMPLE).toContain(written);
    const file = `wrong-${at}.ts`;
    writeFileSync(path.join(folder, file), EXAMPLE.replace(written, wrong));
    return file;
  });
  const output = await compile(DECLARATIONS_CHECKED, ...files);
  const refused = files.map((file) => new RegExp(`${file}.*error TS\\d+`).test(output));
  expect(Object.fromEntries(Object.keys(mistakes).map((what, at) => [what, refused[at]]))).toEqual(
    Object.fromEntries(Object.keys(mistakes).map((what) => [what, true]))
  );
});

test('rows of the saved query have the types of their columns, and lists of records in them', async () => {
  writeFileSync(
    path.join(folder, 'rows.ts'),
    `import type { paths } from './log-queries.js';
type Rows = paths['/api/endpoints/query/logs.all']['get']['responses'][200]['content']['application/json']['result'];
export const path = (rows: Rows): string | null | undefined => rows[0]?.metadata?.[0]?.request?.[0]?.path;
export const time = (rows: Rows): number | string | null | undefined => rows[0]?.timestamp;
// @ts-expect-error a column that the saved query does not have
export const other = (rows: Rows): unknown => rows[0]?.level;
`
  );
  expect(await compile(DECLARATIONS_CHECKED, 'rows.ts')).toBe('');
});
