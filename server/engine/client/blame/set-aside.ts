/** Writes refused batches to the journal's folder, so that an operator can examine them and send them again. */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface RefusedBatch {
  readonly source: string;
  /** Id of the token that sent it. */
  readonly owner: string;
  readonly body: Uint8Array;
}

/** Maximum number and bytes of all files that this module wrote. */
const MAX_FILES = 32;
const MAX_BYTES = 256 * 1024 * 1024;
/** File name: `batch-<milliseconds>-<number>-<source>-<owner>.rejected`. */
const FILE_PATTERN = /^batch-\d+-\d+-(?<source>.*?)-(?<owner>[\w.]{1,64})\.rejected$/;

let lastNumber = 0;

/**
 * Writes the batch with mode 0600. Older files are deleted to make room, starting with the oldest file of the owner
 * that has the most files. @returns the name of the file in the folder; null when the batch alone exceeds the limit.
 */
export async function setBatchAside(folder: string, { source, owner, body }: RefusedBatch): Promise<string | null> {
  if (body.length > MAX_BYTES) return null;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await makeRoom(folder, body.length);
  lastNumber += 1;
  const name = `batch-${Date.now()}-${lastNumber}-${plain(source)}-${plain(owner)}.rejected`;
  await writeFile(path.join(folder, name), body, { mode: 0o600, flag: 'wx', flush: true });
  return name;
}

/** Removes the files of a source whose events are deleted. */
export async function removeSetAside(folder: string, source: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (FILE_PATTERN.exec(name)?.groups?.['source'] === plain(source))
      await rm(path.join(folder, name), { force: true });
}

interface KeptFile {
  readonly name: string;
  readonly owner: string;
  readonly bytes: number;
  readonly writtenMs: number;
}

async function makeRoom(folder: string, bytes: number): Promise<void> {
  const kept = await keptFiles(folder);
  let total = kept.reduce((sum, file) => sum + file.bytes, bytes);
  while (kept.length >= MAX_FILES || total > MAX_BYTES) {
    const counts = new Map<string, number>();
    for (const { owner } of kept) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const index = kept.findIndex(({ owner }) => counts.get(owner) === most);
    const [file] = kept.splice(index, 1);
    if (!file) return;
    total -= file.bytes;
    await rm(path.join(folder, file.name), { force: true });
  }
}

/** Set-aside files, oldest first. */
async function keptFiles(folder: string): Promise<KeptFile[]> {
  const files: KeptFile[] = [];
  for (const name of await readdir(folder)) {
    const owner = FILE_PATTERN.exec(name)?.groups?.['owner'];
    if (owner === undefined) continue;
    const found = await stat(path.join(folder, name)).catch(() => null);
    if (found) files.push({ name, owner, bytes: found.size, writtenMs: found.mtimeMs });
  }
  return files.sort((a, b) => a.writtenMs - b.writtenMs || (a.name < b.name ? -1 : 1));
}

/** Replaces characters that a file name must not have, and the hyphen, which separates its parts. */
function plain(text: string): string {
  return text.replace(/[^\w.]/g, '_').slice(0, 64) || '_';
}
