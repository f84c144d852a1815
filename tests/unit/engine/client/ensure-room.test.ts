/** The embedded store is opened again only where the disk has space for the events of the journal. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureRoomToOpen } from '#server/engine/client/ensure-room';

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(path.join(tmpdir(), 'room-'))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** A file without blocks on the disk. */
function journalOf(bytes: number, name: string): void {
  mkdirSync(path.join(dataDir, 'journal'), { recursive: true });
  const file = path.join(dataDir, 'journal', name);
  writeFileSync(file, '');
  truncateSync(file, bytes);
}

test('a journal that has more events than the disk has space refuses it, and says that queries go on', async () => {
  journalOf(2 ** 42, '0000000000000001.journal');
  await expect(ensureRoomToOpen(dataDir)).rejects.toMatchObject({
    code: 'backend_unavailable',
    details: { reason: 'disk_full', hint: expect.stringContaining('queries go on') },
  });
});

test('other files, and a folder that is not there, refuse nothing', async () => {
  await ensureRoomToOpen(dataDir);
  journalOf(2 ** 42, 'batch-1-1-app-a.rejected');
  journalOf(1024, '0000000000000001.journal');
  await ensureRoomToOpen(dataDir);
  await ensureRoomToOpen(path.join(dataDir, 'missing'));
});
