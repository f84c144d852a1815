/** Files that a command of root writes into the data folder of a server that runs as another user. */
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditFiles } from '#server/catalog/audit/audit-files';
import { createPrivateFile, replacePrivateFile } from '#server/common/private-file';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-owner-'));
  if (process.getuid!() === 0) chownSync(folder, 4321, 4321);
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
