/** Days that a damaged file of the store has lost, in a backup that has them from earlier or not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DamagedDay, StoredDay } from '#contract/control';
import { ServiceError } from '#contract/errors';
import { sourceSchema } from '#contract/events/source';
import type { EventSource } from '#server/cli/backup/events/event-source';
import { type EventsSummary, writeEvents } from '#server/cli/backup/events/write-events';
import { BackupFolder } from '#server/cli/backup/files/backup-folder';
import { readManifest } from '#server/cli/backup/files/manifest';

const FIRST_DAY = Date.UTC(2026, 10, 2) / 86_400_000;
const PROGRESS = { onTotal: () => undefined, onRows: () => undefined };
const HEAD = {
  format: 1,
  program: '1.0.0',
  created_at: '2026-11-10T00:00:00.000Z',
  store: { kind: 'duckdb', identity: '0'.repeat(64) },
  catalog: { kind: 'files', key_fingerprint: null },
} as const;

let path: string;
beforeEach(() => (path = mkdtempSync(join(tmpdir(), 'lqe-events-'))));
afterEach(() => rmSync(path, { recursive: true }));

const day = (n: number, fingerprint: string): StoredDay => ({
  source: 'logs',
  day: FIRST_DAY + n,
  rows: 10,
  fingerprint,
});

interface Given {
  readonly days: readonly StoredDay[];
  /** Found when the days are listed. */
  readonly damaged?: readonly DamagedDay[];
  /** Found when the day is read. */
  readonly unreadable?: StoredDay;
}

function sourceOf({ days, damaged, unreadable }: Given): EventSource {
  return {
    sources: [],
    served: null,
    stored: { days: [...days], fields: {}, undeclared: [], ...(damaged && { damaged: [...damaged] }) },
    bytesPerRow: 10,
    write: async (one, file) => {
      if (one === unreadable) throw new ServiceError('backend_error', 'damaged', { reason: 'store_damaged' });
      writeFileSync(file, `${one.day} ${one.fingerprint}`);
      return Promise.resolve(one.rows);
    },
    close: () => Promise.resolve(),
  };
}

async function backup(given: Given, skipsDamaged: boolean): Promise<EventsSummary> {
  const folder = await BackupFolder.open(path);
  try {
    await folder.begin({ ...HEAD, sources: [sourceSchema.parse({ name: 'logs' })] });
    const { signal } = new AbortController();
    const summary = await writeEvents(folder, sourceOf(given), PROGRESS, { skipsDamaged, signal });
    await folder.complete();
    return summary;
  } finally {
    folder.close();
  }
}

/** Fingerprints of the days in the backup. */
function saved(): readonly string[] {
  return readManifest(path)!.files.flatMap((file) => (file.kind === 'events' ? [file.fingerprint] : []));
}

it('a damaged day fails a backup, which stays as it was', async () => {
  const before = [day(0, 'a'), day(1, 'b')];
  await backup({ days: before }, false);
  const message = /^The events of logs\/2026-11-02 cannot be read: .* --skip-damaged\.$/;
  await expect(backup({ days: [day(1, 'c')], damaged: [day(0, 'a')] }, false)).rejects.toThrow(message);
  const changed = day(0, 'd');
  await expect(backup({ days: [changed, before[1]!], unreadable: changed }, false)).rejects.toThrow(message);
  expect(saved()).toEqual(['a', 'b']);
});

it('damaged days stay as in an earlier backup, or are left out, and all others are saved', async () => {
  await backup({ days: [day(0, 'a'), day(1, 'b')] }, false);
  const changed = day(1, 'c');
  const given = { days: [changed, day(2, 'd')], damaged: [day(0, 'x'), day(3, 'y')], unreadable: changed };
  expect(await backup(given, true)).toMatchObject({
    days: 3,
    rows: 30,
    writtenDays: 1,
    damaged: [
      { name: 'logs/2026-11-02', isKept: true },
      { name: 'logs/2026-11-05', isKept: false },
      { name: 'logs/2026-11-03', isKept: true },
    ],
  });
  expect([...saved()].sort()).toEqual(['a', 'b', 'd']);
});
