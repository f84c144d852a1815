/** Files that a command of root writes into the data folder of a server that runs as another user. */
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditFiles } from '#server/catalog/audit/audit-files';
import { asFolderOwner, becomeFolderOwner } from '#server/common/files/folder-owner';
import { createPrivateFile, replacePrivateFile } from '#server/common/files/private-file';

const isRoot = process.getuid!() === 0;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-owner-'));
  if (isRoot) chownSync(folder, 4321, 4321);
  jest.spyOn(process, 'getuid').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const ownerOf = (...names: readonly string[]): readonly number[] => {
  const { uid, gid } = statSync(join(folder, ...names));
  return [uid, gid];
};

it('belong to the owner of the folder', async () => {
  await replacePrivateFile(join(folder, 'tokens.json'), 'text');
  createPrivateFile(join(folder, 'server.key'), 'text');
  await new AuditFiles(folder).append({
    ...{ time: '2026-03-01T00:00:00.000Z', action: 'token.create', by: { database_user: 'root' } },
    ...{ object: { id: 'a', name: 'a' }, revision: null, message: null, request_id: null, details: null },
  });
  for (const names of [['tokens.json'], ['server.key'], ['audit'], ['audit', '2026-03.jsonl']])
    expect(ownerOf(...names)).toEqual(ownerOf());
});

it('belong to the owner also where their names alone are given, and root has its rights again after that', async () => {
  // Only root can have the rights of other users; the folder of anyone else is their own.
  if (!isRoot) for (const name of ['seteuid', 'setegid'] as const) jest.spyOn(process, name).mockReturnValue(undefined);
  const before = [process.geteuid!(), process.getegid!()];
  const file = join(folder, 'sealed.duckdb');
  await asFolderOwner(file, async () => writeFileSync(file, 'text'));
  expect(ownerOf('sealed.duckdb')).toEqual(ownerOf());
  expect([process.geteuid!(), process.getegid!()]).toEqual(before);
});

it('a command of root that has become the owner has no rights of root left', () => {
  const given = (['setgroups', 'setgid', 'setuid'] as const).map((name) =>
    jest.spyOn(process, name as never).mockReturnValue(undefined as never)
  );
  becomeFolderOwner(join(folder, 'logs.duckdb'));
  const [uid, gid] = ownerOf();
  expect(given.map(({ mock }) => mock.calls as unknown)).toEqual([[[[gid]]], [[gid]], [[uid]]]);
});
