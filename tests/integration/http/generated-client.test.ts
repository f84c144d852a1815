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

const MISTAKES = {
  'a parameter that is not declared': [`interval: 'hourly'`, `span: 'hourly'`],
  'a value that is not allowed': [`interval: 'hourly'`, `interval: 'yearly'`],
  'a required parameter that is absent': [`, project: 'acornharvestplatform'`, ''],
  'a column that does not exist': ['total_rest_requests } of', 'total_requests } of'],
  'a path that does not exist': ['query/usage.api-counts', 'query/usage.api-count'],
} as const;
const ROWS = `import type { paths } from './log-queries.js';
type Rows = paths['/api/endpoints/query/logs.all']['get']['responses'][200]['content']['application/json']['result'];
export const path = (rows: Rows): string | null | undefined => rows[0]?.metadata?.[0]?.request?.[0]?.path;
export const time = (rows: Rows): number | string | null | undefined => rows[0]?.timestamp;
// @ts-expect-error a column that the saved query does not have
export const other = (rows: Rows): unknown => rows[0]?.level;
`;
const SOURCES: Readonly<Record<string, string>> = {
  'client.ts': EXAMPLE,
  'rows.ts': ROWS,
  ...Object.fromEntries(
    Object.values(MISTAKES).map(([written, wrong], at) => [`wrong-${at}.ts`, EXAMPLE.replace(written, wrong)])
  ),
};

let sample: SampleService;
let folder: string;
/** Lines in which the compiler names an error. */
let errors: readonly string[];

const program = (name: string) => path.join(ROOT, 'node_modules', '.bin', name);

/** One run for all files: it reads the declarations of the packages once. */
const compile = (files: readonly string[]): Promise<string> =>
  run(program('tsc'), [
    ...['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--types', 'node'],
    ...['--module', 'nodenext', '--target', 'es2022'],
    ...files.map((file) => path.join(folder, file)),
  ]).then(
    () => '',
    (error: { stdout: string }) => error.stdout
  );

const errorsOf = (file: string): readonly string[] => errors.filter((line) => line.includes(`/${file}(`));

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
  for (const [file, text] of Object.entries(SOURCES)) writeFileSync(path.join(folder, file), text);
  errors = (await compile(Object.keys(SOURCES))).split('\n').filter((line) => line.includes('error TS'));
}, 120_000);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sample?.stop();
});

test('the example and the generated types compile, and the example prints the rows', async () => {
  expect(errors.filter((line) => !/\/wrong-\d\.ts\(/.test(line))).toEqual([]);
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

test.each(Object.entries(MISTAKES))('what the service would refuse does not compile: %s', (what, [written]) => {
  expect(EXAMPLE).toContain(written);
  expect(errorsOf(`wrong-${Object.keys(MISTAKES).indexOf(what)}.ts`)).not.toEqual([]);
});

test('rows of the saved query have the types of their columns, and lists of records in them', () => {
  expect(errorsOf('rows.ts')).toEqual([]);
});
