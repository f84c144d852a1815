/**
 * `lqe endpoints import`: an export of the older service, and files of SQL, into a real server.
 *
 * @slow 12
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importQueries, type ImportFlags } from '#server/cli/endpoints/commands/import';
import { type CliServer, startCliServer } from './cli-server';

const EXPORT = join(__dirname, '../../../corpus/endpoints/export.json');
const EDGE = ['edge.logs.prod', 'edge_requests'] as const;
const FIRST = ['first.source', 'edge_requests'] as const;
const SECOND = ['second_source', 'database'] as const;

let server: CliServer;
let folder: string;

beforeAll(async () => {
  server = await startCliServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-import-queries-'));
  const { remote } = server.withPerson();
  for (const { id, revision, origin } of await remote.list())
    if (origin === 'api') await remote.remove(id, revision, undefined);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(files: string[], flags: Partial<ImportFlags> = {}): Promise<{ code: number; text: string }> {
  const { printed, ...context } = server.withPerson();
  const code = await importQueries(context, files, { source: new Map(), ...flags });
  return { code, text: printed.join('\n') };
}

async function names(): Promise<readonly string[]> {
  const list = await server.withPerson().remote.list();
  return list.filter(({ origin }) => origin === 'api').map(({ name }) => name);
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe('import', () => {
  it('says what can be imported, what needs a source, and what is refused, and imports the rest', async () => {
    const report = join(folder, 'report.md');
    const dry = await server.lqe('import', EXPORT, '--dry-run', '--report', report);
    expect([dry.code, await names()]).toEqual([2, []]);
    expect(dry.stdout).toContain(
      "two.sources: needs a source mapping\n  it reads tables that are no sources of the server\n  --source 'first.source=<source>'\n  --source 'second_source=<source>'\n"
    );
    expect(dry.stdout).toContain(
      'broken: refused\n  line 2, column 3 of the query: Unknown column "nope". (query_invalid)\n'
    );
    expect(dry.stdout).toContain('by.clickhouse: refused\n  its language is ch_sql');
    expect(dry.stdout).toContain('closed: refused\n  "closed" is managed in a file of the server\n');
    expect(dry.stdout).toMatch(/\n7 saved queries: 1 can be imported, 2 need a source mapping, 4 refused\.\n$/);
    expect(readFileSync(report, 'utf8')).toContain('| logs by status | logs_by_status | needs a source mapping | ');

    const done = await server.lqe(
      'import',
      EXPORT,
      ...['-s', EDGE.join('='), '-s', FIRST.join('='), '--source', SECOND.join('=')]
    );
    expect(done.code).toBe(2);
    expect(await names()).toEqual(['logs_by_status', 'not.cached', 'two.sources']);
  });

  it('keeps ids and texts, and infers parameters outside of strings and comments', async () => {
    await run([EXPORT], { source: new Map([EDGE]) });
    const { remote } = server.withPerson();
    const imported = await remote.read('2f6e7c1a-0000-4000-8000-000000000001');
    const { endpoints } = JSON.parse(readFileSync(EXPORT, 'utf8')) as { endpoints: { query: string }[] };
    expect(imported).toMatchObject({
      name: 'logs_by_status',
      query: endpoints[0]!.query.replace('edge.logs.prod', 'edge_requests'),
      cache_seconds: 900,
      warm_seconds: 300,
      max_rows: 500,
      sandbox: true,
      redact_pii: true,
    });
    expect(imported.parameters.map(({ name }) => name)).toEqual(['project', 'since']);
    expect(await remote.read('not.cached')).toMatchObject({ cache_seconds: null, warm_seconds: null });
  });

  it('can be repeated, and updates what is in use only with --replace', async () => {
    const path = file('Edge Count.sql', 'select count(*) as n\nfrom edge_requests where project = @project');
    expect((await run([path])).text).toContain('[1/1] + edge_count');
    expect(await run([path])).toEqual({
      code: 0,
      text: expect.stringContaining('edge_count: imported before') as string,
    });
    writeFileSync(path, 'select count(*) as m from edge_requests');
    expect(await run([path])).toEqual({
      code: 2,
      text: expect.stringContaining('the name "edge_count" is in use; --replace updates it') as string,
    });
    expect(await run([path], { replace: true })).toEqual({
      code: 0,
      text: expect.stringContaining('[1/1] ~ edge_count') as string,
    });
    expect((await server.withPerson().remote.read('edge_count')).revision).toBe(2);
  });

  it('imports nothing with --all-or-nothing when one cannot be imported', async () => {
    const good = file('good.sql', 'select 1 as n');
    const bad = file('bad.sql', 'selec 1');
    const report = join(folder, 'report.json');
    expect((await run([good, bad], { allOrNothing: true, report })).code).toBe(2);
    expect(await names()).toEqual([]);
    const { saved_queries: entries } = JSON.parse(readFileSync(report, 'utf8')) as {
      saved_queries: { name: string; status: string }[];
    };
    expect(entries.map(({ name, status }) => [name, status])).toEqual([
      ['good', 'ready'],
      ['bad', 'refused'],
    ]);
    expect((await run([good, bad])).code).toBe(2);
    expect(await names()).toEqual(['good']);
  });

  it('refuses two entries with one name or id', async () => {
    const [a, b] = [file('Slow.sql', 'select 1 as n'), file('slow.sql', 'select 2 as n')];
    const outcome = await run([a, b]);
    expect(outcome.text).toContain('Slow.sql has the same name or id');
    expect(await names()).toEqual(['slow']);
  });

  it.each([
    ['[]', 'has no saved queries'],
    ['{"error": "no"}', 'has no saved queries'],
    ['{', 'is neither a .sql file nor valid JSON'],
    ['\u00ff'.repeat(3), 'is not valid UTF-8'],
  ])('says what is wrong with the file %p', async (text, message) => {
    writeFileSync(join(folder, 'x.json'), text, 'latin1');
    await expect(run([join(folder, 'x.json')])).rejects.toThrow(message);
    await expect(run([EXPORT], { report: join(folder, 'no', 'report.md') })).rejects.toThrow('Nothing was imported');
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });
});
