import { SCOPES } from '#contract/tokens/token';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { registerToken } from '#server/cli/token/register-token';
import { auditEntryOf } from '#server/catalog/revisions/next-revision';
import { SAVED_QUERY } from '#server/catalog/revisions/kind';
import { RevisionFolder } from '#server/catalog/revisions/revision-folder';
import { parseToken } from '#server/catalog/tokens/secrets/token-text';

const FACTS = { by: { database_user: 'admin' }, message: null, requestId: null, now: new Date(0) };

let dataDir: string;
let out: string[];
let err: string[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lqe-cli-'));
  out = [];
  err = [];
  jest.spyOn(console, 'log').mockImplementation((line: string) => void out.push(line));
  jest.spyOn(console, 'error').mockImplementation((line: string) => void err.push(line));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(dataDir, { recursive: true, force: true });
});

/** @returns what went to standard output. */
async function lqe(...args: string[]): Promise<string> {
  out.length = 0;
  const program = new Command('lqe');
  registerToken(program);
  for (const command of [program, ...program.commands, ...program.commands.flatMap((child) => child.commands)])
    command.exitOverride().configureOutput({ writeOut: (text) => out.push(text), writeErr: (text) => err.push(text) });
  await program.parseAsync(['token', ...args, '--data-dir', dataDir], { from: 'user' });
  return out.join('\n');
}

const listed = async () => JSON.parse(await lqe('list', '--json')) as Record<string, unknown>[];

it('create prints the token alone, so that a shell can store it', async () => {
  const text = await lqe('create', '--name', 'first');
  expect(parseToken(text)).not.toBeNull();
  expect(await listed()).toMatchObject([
    {
      name: 'first',
      state: 'active',
      scopes: ['query', 'adhoc', 'endpoints:read'],
      endpoints: '*',
      last_used_at: null,
    },
  ]);
});

it('create accepts every limit that a token can have', async () => {
  await lqe(
    ...['create', '-n', 'narrow', '--scope', 'query', 'adhoc,ingest', '--endpoint', 'logs.all', '--fix', 'project=a=b'],
    ...['--force-redaction', '--max-rows', '5', '--expires', '12h']
  );
  const [token] = await listed();
  expect(token).toMatchObject({
    scopes: ['query', 'adhoc', 'ingest'],
    endpoints: ['logs.all'],
    fixed_parameters: { project: 'a=b' },
    force_redaction: true,
    max_rows: 5,
  });
  const hours = (new Date(String(token!['expires_at'])).getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThanOrEqual(12);
});

it('list shows redaction, row cap and rate', async () => {
  await lqe('create', '--name', 'narrow', '--force-redaction', '--max-rows', '5', '--rate', '60');
  expect(await lqe('list')).toMatch(/ FIXED +LIMITS +EXPIRES .*\n.* redacted, 5 rows, 60 a minute +never /);
});

it('the scope all is every scope', async () => {
  await lqe('create', '--name', 'admin', '--scope', 'all', 'query');
  expect(await listed()).toMatchObject([{ scopes: SCOPES }]);
  expect(await lqe('list')).toMatch(/\n\S+ +admin +active +all +\*/);
});

it('create gives a token its tenant, and list shows it', async () => {
  await lqe('create', '--name', 'narrow', '--tenant', 'acme');
  expect(err.join('\n')).toMatch(/^token .{8} \(narrow\) of the tenant "acme"; this text is shown once:$/m);
  expect(await listed()).toMatchObject([{ tenant: 'acme' }]);
  expect(await lqe('list')).toMatch(/ TENANT +FIXED .*\n.* acme /);
});

it('create prints the tenant that a fixed parameter implies, and refuses two tenants', async () => {
  await lqe('create', '--name', 'fixed', '--fix', 'project=acme');
  expect(err.join('\n')).toMatch(/of the tenant "acme"/);
  await lqe('create', '--name', 'both', '--fix', 'project=acme', '--tenant', 'acme');
  await expect(lqe('create', '--name', 'two', '--fix', 'project=acme', '--tenant', 'victim')).rejects.toThrow(
    'names two tenants'
  );
  expect((await listed()).map(({ name }) => name)).toEqual(['fixed', 'both']);
});

it('create knows the tenant parameters of saved queries of the API, too', async () => {
  const facts = {
    ...{ id: '7d1a9fd0-0000-4000-8000-000000000003', name: 'of.customer', revision: 1, action: 'create' as const },
    ...{ time: '2026-03-01T00:00:00.000Z', created_at: '2026-03-01T00:00:00.000Z', message: null, changed: [] },
    ...{ former_names: [], requests: [] },
    by: { database_user: 'admin' },
  };
  const text = [
    ...['name: of.customer', 'query: SELECT @customer AS c', 'parameters:'],
    ...['  - name: customer', '    type: text', '    required: true', '    tenant: true', ''],
  ].join('\n');
  const folder = new RevisionFolder(dataDir, { append: () => Promise.resolve() }, SAVED_QUERY);
  await folder.append({ ...facts, text }, auditEntryOf({ ...facts, text }, SAVED_QUERY, FACTS));
  await lqe('create', '--name', 'fixed', '--fix', 'customer=acme');
  expect(err.join('\n')).toMatch(/of the tenant "acme"/);
  await expect(lqe('create', '--name', 'two', '--fix', 'customer=acme', '--tenant', 'victim')).rejects.toThrow(
    'names two tenants'
  );
});

it('create works even when the saved queries cannot be read', async () => {
  const before = process.env['LQE_ENDPOINTS_DIR'];
  process.env['LQE_ENDPOINTS_DIR'] = join(dataDir, 'none');
  await lqe('create', '--name', 'two', '--fix', 'project=acme', '--tenant', 'acme').finally(() => {
    if (before === undefined) delete process.env['LQE_ENDPOINTS_DIR'];
    else process.env['LQE_ENDPOINTS_DIR'] = before;
  });
  expect(await listed()).toMatchObject([{ tenant: 'acme', fixed_parameters: { project: 'acme' } }]);
});

it.each(['create', 'change'])('%s with --endpoint * gives all saved queries, and "*" stands alone', async (name) => {
  await lqe('create', '--name', 'narrow', '--endpoint', 'logs.all');
  const args = name === 'create' ? ['create', '--name', 'wide'] : ['change', 'narrow'];
  await lqe(...args, '--endpoint', '*');
  expect((await listed()).at(-1)).toMatchObject({ endpoints: '*' });
  await expect(lqe(...args, '--endpoint', 'logs.all', '*')).rejects.toThrow('give it alone');
  await expect(lqe(...args, '--endpoint', 'logs.all,usage.api-counts')).rejects.toThrow('separated by spaces');
});

it.each(['', 'a\nb', 'é'.repeat(128)])('create refuses an invalid tenant: %j', async (tenant) => {
  await expect(lqe('create', '--name', 'x', '--tenant', tenant)).rejects.toThrow('1 to 255 bytes');
});

it('change without a limit is refused: it would say that it has changed the token', async () => {
  await lqe('create', '--name', 'first');
  await expect(lqe('change', 'first', '--message', 'a note')).rejects.toThrow(
    'Nothing was changed: give at least one limit'
  );
});

it('only create and rotate print a secret, and nothing prints a hash', async () => {
  const text = await lqe('create', '--name', 'first');
  for (const shown of [await lqe('list'), await lqe('list', '--json'), await lqe('revoke', 'first', '--json')]) {
    expect(shown).not.toContain(text.slice(13, 56));
    expect(shown).not.toMatch(/[0-9a-f]{64}/);
  }
  expect(await lqe('list')).toMatch(/^ID +NAME +STATE .*\n.{8} +first +revoked /);
});

it('rotate keeps the id and prints another token', async () => {
  const first = await lqe('create', '--name', 'first');
  const rotated = JSON.parse(await lqe('rotate', 'first', '--grace-seconds', '0', '--json')) as {
    token: string;
    id: string;
  };
  expect(rotated.token.slice(0, 12)).toBe(first.slice(0, 12));
  expect(rotated.token).not.toBe(first);
});

it.each([
  ['an unknown scope', ['create', '-n', 'x', '-s', 'everything'], /must be all, or of query/],
  ['no name', ['create'], /required option '-n, --name <name>' not specified/],
  ['a time that has passed', ['create', '-n', 'x', '--expires', '2020-01-01'], /is in the past/],
  ['a text that is not a time', ['create', '-n', 'x', '--expires', 'soon'], /must be a time like/],
  ['a cap of nothing', ['create', '-n', 'x', '--max-rows', '0'], /must be a whole number/],
  ['a fix without a value', ['create', '-n', 'x', '--fix', 'project'], /must be written name=value/],
  ['an unknown token', ['revoke', 'unknown'], /there is no token with the id or name "unknown"/],
])('%s is refused and changes nothing', async (_what, args, message) => {
  await expect(lqe(...args)).rejects.toThrow();
  await lqe(...args).catch((error: Error) => err.push(error.message));
  expect(err.join('\n')).toMatch(message);
  expect(await listed()).toEqual([]);
});
