/** Files of DuckDB whose creation a full disk has ended: DuckDB would take them for files of something else. */
import { rmSync, statSync } from 'node:fs';

/** DuckDB begins a file with three headers of a block each. */
const HEADER_BYTES = 3 * 4096;

/** Call it when no other process has the file open. @returns whether the file was shorter than its headers */
export function removeCutOff(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined || facts.size >= HEADER_BYTES) return false;
  rmSync(path);
  return true;
}
