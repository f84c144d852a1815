/** A restore by root for a server of another user. */
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteOnOwner } from '#server/cli/restore/register-restore';
import { copyPrivate } from '#server/cli/backup/files/private-copy';

const isRoot = process.getuid!() === 0;
let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'lqe-restore-owner-'));
  mkdirSync(join(parent, 'data'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(parent, { recursive: true });
});

it.each(['.', 'data'])('a restore says how to give the files to the owner of %s', (owned) => {
  if (isRoot) chownSync(join(parent, owned), 4321, 4322);
  jest.spyOn(process, 'getuid').mockReturnValue(0);
  const { uid, gid } = statSync(join(parent, owned));
  expect(noteOnOwner(join(parent, 'data'))).toMatch(`chown -R ${uid}:${gid} ${join(parent, 'data')}`);
});

it('a restore by the user of the server says nothing', () => {
  jest.spyOn(process, 'getuid').mockReturnValue(4321);
  expect(noteOnOwner(join(parent, 'data'))).toBeNull();
});

it('a restored definition belongs to the owner of its folder', async () => {
  const [from, to] = [join(parent, 'from'), join(parent, 'to')];
  writeFileSync(from, 'text');
  const { uid, gid } = isRoot ? { uid: 4321, gid: 4322 } : statSync(parent);
  await copyPrivate(from, to, { uid, gid });
  expect(statSync(to)).toMatchObject({ uid, gid });
});
