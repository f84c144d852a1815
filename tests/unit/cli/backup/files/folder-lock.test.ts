/** Locks of backup folders that a full disk, a kill or another program left. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCK_FILE, lockFolder } from '#server/cli/backup/files/folder-lock';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-lock-'));
  file = join(folder, LOCK_FILE);
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a full disk is named, and leaves no file that the next call cannot open', async () => {
  symlinkSync('/dev/full', file);
  await expect(lockFolder(folder)).rejects.toThrow(`The disk of ${folder} is full.`);
  (await lockFolder(folder))();
});

it('a file that was never written is replaced', async () => {
  writeFileSync(file, '');
  (await lockFolder(folder))();
});

it('a file of another program is kept', async () => {
  writeFileSync(file, 'x'.repeat(20_000));
  await expect(lockFolder(folder)).rejects.toThrow('Remove it if no backup is running.');
});

it('a folder that cannot be written to is not a file to be removed', async () => {
  await expect(lockFolder('/proc')).rejects.toThrow('must be able to write');
});
