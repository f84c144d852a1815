import crypto from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TokenPolicy, UNLIMITED_POLICY } from '#contract/tokens/token';
import { AuditFiles } from '#server/catalog/audit/audit-files';
import { createToken, revokeToken, rotateToken } from '#server/catalog/tokens/file/manage-tokens';
import { loadServerKey } from '#server/catalog/tokens/secrets/server-key';
import { creation } from '#server/catalog/tokens/token-edits';
import { TokenFileRepository } from '#server/catalog/tokens/file/token-file-repository';
import { TokenStore } from '#server/catalog/tokens/token-store';
import { readTokenUsage } from '#server/catalog/tokens/file/token-usage';

const POLICY: TokenPolicy = { ...UNLIMITED_POLICY, name: 'test', scopes: ['query'] };
const NOW = new Date('2026-03-01T12:00:00Z');

let dataDir: string;
let now: Date;
let unreadable: unknown[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lqe-tokens-'));
  now = NOW;
  unreadable = [];
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = (bootstrapToken: string | null = null, maxAgeMs = 0) =>
  new TokenStore({
    repository: new TokenFileRepository({ dataDir, onUnreadable: (error) => unreadable.push(error), maxAgeMs }),
    key: loadServerKey(dataDir),
    bootstrapToken,
    now: () => now,
  });

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

async function accepts(store: TokenStore, text: string): Promise<boolean> {
  return store.authenticate(text).then(
    () => true,
    (error: { code: string }) => {
      expect(error.code).toBe('token_invalid');
      return false;
    }
  );
}

it('a token that another process created is accepted', async () => {
  const store = open();
  expect(await store.hasAnyToken()).toBe(false);
  const { text, token } = await createToken(dataDir, POLICY, NOW);
  expect(await store.authenticate(text)).toMatchObject({ tokenId: token.id, policy: { name: 'test' } });
  expect(await store.hasAnyToken()).toBe(true);
});

it('a token that was created after the last look at the file is accepted at once', async () => {
  const store = open(null, 60_000);
  expect(await accepts(store, (await createToken(dataDir, POLICY, NOW)).text)).toBe(true);
  expect(await accepts(store, (await createToken(dataDir, { ...POLICY, name: 'second' }, NOW)).text)).toBe(true);
});

it('texts that are too short for the bootstrap token are not hashed, since a URL may have thousands', () => {
  const text = 'x'.repeat(20);
  const store = open(text);
  const hash = jest.spyOn(crypto, 'hash');
  expect(['', 'a', 'x'.repeat(19)].map((short) => store.isBootstrap(short))).toEqual([false, false, false]);
  expect(hash).not.toHaveBeenCalled();
  expect([store.isBootstrap(text), store.isBootstrap('y'.repeat(20))]).toEqual([true, false]);
  hash.mockRestore();
});

it('a revoked token is refused within the cache period, without reading the disk for each call', async () => {
  const store = open(null, 1000);
  const { text, token } = await createToken(dataDir, POLICY, NOW);
  expect(await accepts(store, text)).toBe(true);
  await revokeToken(dataDir, token.id, NOW);
  expect(await accepts(store, text)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 1010));
  expect(await accepts(store, text)).toBe(false);
});

it('unknown, expired and revoked tokens get the same error', async () => {
  const store = open();
  const expiring = await createToken(dataDir, { ...POLICY, expires_at: later(60).toISOString() }, NOW);
  expect(await accepts(store, expiring.text)).toBe(true);
  now = later(60);
  expect(await accepts(store, expiring.text)).toBe(false);
  const { text } = await createToken(dataDir, { ...POLICY, name: 'second' }, NOW);
  rmSync(join(dataDir, 'tokens.json'));
  expect(await accepts(store, text)).toBe(false);
});

it('the old secret of a rotated token is accepted until its grace period ends', async () => {
  const store = open();
  const first = await createToken(dataDir, POLICY, NOW);
  const second = await rotateToken(dataDir, 'test', 60, NOW);
  expect(second.token.id).toBe(first.token.id);
  now = later(59);
  expect([await accepts(store, first.text), await accepts(store, second.text)]).toEqual([true, true]);
  now = later(60);
  expect([await accepts(store, first.text), await accepts(store, second.text)]).toEqual([false, true]);
  const third = await rotateToken(dataDir, first.token.id, 0, NOW);
  expect([await accepts(store, second.text), await accepts(store, third.text)]).toEqual([false, true]);
});

it('the bootstrap token may be any text', async () => {
  const store = open('any text of twenty+ ch');
  expect(await store.authenticate('any text of twenty+ ch')).toMatchObject({ tokenId: 'bootstrap' });
  expect(await accepts(store, 'any text of twenty+ cH')).toBe(false);
  expect(await accepts(open(null), '')).toBe(false);
});

it('no token of an unreadable file is accepted, and the problem is logged once', async () => {
  const store = open('bootstrap-token-for-tests');
  const { text } = await createToken(dataDir, POLICY, NOW);
  writeFileSync(join(dataDir, 'tokens.json'), '{"version":1,"tokens":[{}]}');
  expect(await accepts(store, text)).toBe(false);
  expect(await accepts(store, text)).toBe(false);
  expect(await accepts(store, 'bootstrap-token-for-tests')).toBe(true);
  expect([await store.isUsable(), unreadable.length]).toEqual([false, 1]);
});

it.each([
  ['{"version":1,"tokens":[{}]}', 'tokens.0.name is missing'],
  ['{"version":1', 'it is damaged'],
  ['[]', 'it is damaged'],
])('the problem says what is wrong with the file, and nothing of its text: %s', async (text, why) => {
  const file = join(dataDir, 'tokens.json');
  writeFileSync(file, text);
  await open().isUsable();
  expect(unreadable.map((error) => (error as Error).message)).toEqual([
    `${file} is not a token file of this version (${why}). Put the file of a backup in its place.`,
  ]);
});

it('a token that was valid before the file became unreadable is neither accepted nor called invalid', async () => {
  const store = open();
  const { text } = await createToken(dataDir, POLICY, NOW);
  const expiring = await createToken(dataDir, { ...POLICY, name: 'b', expires_at: later(60).toISOString() }, NOW);
  const principal = await store.authenticate(text);
  const file = join(dataDir, 'tokens.json');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, '{');
  const unavailable = { code: 'backend_unavailable', details: { reason: 'tokens_unreadable' } };
  await expect(store.authenticate(text)).rejects.toMatchObject(unavailable);
  await expect(store.authenticate(text)).rejects.toMatchObject(unavailable);
  expect(store.isStillValid(principal)).toBe(false);
  expect(await accepts(store, `${text.slice(0, -8)}aaaaaaaa`)).toBe(false);
  now = later(60);
  expect(await accepts(store, expiring.text)).toBe(false);
  writeFileSync(file, before);
  expect(await accepts(store, text)).toBe(true);
  rmSync(dataDir, { recursive: true });
  await expect(store.authenticate(text)).rejects.toMatchObject(unavailable);
});

it('secrets are never written to disk, and the files are readable by their owner alone', async () => {
  const first = await createToken(dataDir, POLICY, NOW);
  const second = await rotateToken(dataDir, 'test', 60, NOW);
  const store = open();
  await store.authenticate(second.text);
  await store.flush();
  await revokeToken(dataDir, 'test', NOW);
  const files = readdirSync(dataDir);
  expect(files.sort()).toEqual(['audit', 'server.key', 'tokens.json', 'tokens.usage.json']);
  const [entries] = readdirSync(join(dataDir, 'audit'));
  for (const file of [...files.slice(1), join('audit', entries!)]) {
    const path = join(dataDir, file);
    expect([file, (statSync(path).mode & 0o777).toString(8)]).toEqual([file, '600']);
    for (const { text } of [first, second]) expect(readFileSync(path, 'utf8')).not.toContain(text.slice(13, 56));
  }
});

it('each change of a token is written to the audit trail', async () => {
  const { token } = await createToken(dataDir, { ...POLICY, fixed_parameters: { project: 'abc' } }, NOW);
  await rotateToken(dataDir, token.id, 5, NOW);
  await revokeToken(dataDir, token.id, NOW);
  const by = { command_line: { pid: process.pid, uid: process.getuid!() } };
  const object = { id: token.id, name: 'test' };
  expect((await new AuditFiles(dataDir).read(null, 10))!.entries).toMatchObject([
    { action: 'token.revoke', object, by },
    { action: 'token.rotate', object, by, details: { grace_seconds: 5 } },
    { action: 'token.create', object, by, time: NOW.toISOString(), details: { fixed_parameters: { project: 'abc' } } },
  ]);
});

it('a change of another process does not get lost, and unchanged tokens keep their identity', async () => {
  const repository = new TokenFileRepository({ dataDir, onUnreadable: (error) => unreadable.push(error) });
  const facts = { by: { database_user: 'x' }, message: null, requestId: null, now: NOW };
  const key = loadServerKey(dataDir);
  const create = (name: string) => creation({ ...POLICY, name }, { key, request: null }, NOW);
  const first = await repository.change(facts, create('first'));
  await createToken(dataDir, { ...POLICY, name: 'second' }, NOW);
  const before = (await repository.fresh()).tokens.get(first.token.id);
  await repository.change(facts, create('third'));
  const { tokens } = await repository.cached();
  expect([...tokens.values()].map(({ name }) => name)).toEqual(['first', 'second', 'third']);
  expect(tokens.get(first.token.id)).toBe(before);
});

it('the time of last use is stored over a restart', async () => {
  const { text, token } = await createToken(dataDir, POLICY, NOW);
  const store = open();
  now = later(5);
  await store.authenticate(text);
  expect(readTokenUsage(dataDir)).toEqual({});
  await store.flush();
  expect(readTokenUsage(dataDir)).toEqual({ [token.id]: later(5).toISOString() });
  await open().flush();
  expect(readTokenUsage(dataDir)).toEqual({ [token.id]: later(5).toISOString() });
});

it('an ambiguous name, a revoked token and an unknown token are refused with the reason', async () => {
  await createToken(dataDir, POLICY, NOW);
  const { token } = await createToken(dataDir, POLICY, NOW);
  await expect(revokeToken(dataDir, 'test', NOW)).rejects.toThrow(/name of 2 tokens; give one of the ids/);
  await revokeToken(dataDir, token.id, NOW);
  await expect(revokeToken(dataDir, token.id, NOW)).rejects.toThrow(/is revoked already/);
  await expect(rotateToken(dataDir, 'unknown', 0, NOW)).rejects.toThrow(/no token with the id or name "unknown"/);
});
