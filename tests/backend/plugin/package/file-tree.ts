/** Files by path, of a zip file or a folder, read when they are asked for. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

export interface TreeFile {
  /** Unix permission and type bits, as in `st_mode`. */
  readonly mode: number;
  read(): Buffer;
}

/** Paths have `/` between folders, and no leading one. */
export type FileTree = ReadonlyMap<string, TreeFile>;

const END_OF_DIRECTORY = 0x06054b50;
const CENTRAL_HEADER = 0x02014b50;
const STORED = 0;

/** Reads the central directory. Zip64 and encryption are not supported. */
export function readZip(file: string): FileTree {
  const zip = readFileSync(file);
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error(`${file} is not a zip file.`);
  const files = new Map<string, TreeFile>();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    if (zip.readUInt32LE(at) !== CENTRAL_HEADER) throw new Error(`${file} has a damaged directory.`);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength!);
    const method = zip.readUInt16LE(at + 10);
    const size = zip.readUInt32LE(at + 20);
    const local = zip.readUInt32LE(at + 42);
    const read = (): Buffer => {
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const content = zip.subarray(start, start + size);
      return method === STORED ? content : inflateRawSync(content);
    };
    files.set(name, { mode: zip.readUInt32LE(at + 38) >>> 16, read });
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  return files;
}

/** @param skip names of folders that are left out, at any depth */
export function readFolder(root: string, skip: readonly string[] = []): FileTree {
  const files = new Map<string, TreeFile>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory() && !skip.includes(entry.name)) visit(name);
      if (!entry.isFile()) continue;
      const file = path.join(root, name);
      files.set(name, { mode: statSync(file).mode, read: () => readFileSync(file) });
    }
  };
  visit('');
  return files;
}
