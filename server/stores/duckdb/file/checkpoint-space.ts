/**
 * Disk space for a checkpoint. When it runs out during one, DuckDB refuses every statement until another process opens
 * the file (1.5.6). Without a checkpoint, the events stay in the log and can be read.
 */
import { stat } from 'node:fs/promises';
import type { CheckpointKind } from './database';

const MIB = 1024 * 1024;
/** Beside the log, whose values are not packed: parts of blocks, and lists of what the file has. */
const SPARE_BYTES = 32 * MIB;
/** The row groups that a merge writes again. */
const MERGE_BYTES = 224 * MIB;

export interface CheckpointSpaceOptions {
  readonly logPath: string;
  readonly freeBytes: () => Promise<number>;
}

/** @returns the wanted kind, `plain` where only a merge does not fit; null: none fits */
export async function kindThatFits(
  wanted: CheckpointKind,
  { logPath, freeBytes }: CheckpointSpaceOptions
): Promise<CheckpointKind | null> {
  const free = await freeBytes();
  const needed = (await fileSize(logPath)) + SPARE_BYTES;
  if (free < needed) return null;
  return free < needed + MERGE_BYTES ? 'plain' : wanted;
}

/** @returns 0 for a file that is missing */
export async function fileSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
