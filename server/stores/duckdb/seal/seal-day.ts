/**
 * Seals one day: its rows are written beside, and then replace its parts in one transaction. Queries read the former
 * parts until its commit. A crash before leaves a table that is not in force; the next start drops it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Part, SEALED_DATABASE } from '../tables/part';
import { isNotDerived } from '../sealed-layout/sealed-layout';
import { dropSealed } from '../file/sealed-tables';
import { countRows } from '../read/stored-rows';
import { type CopyOptions, copyRows, createTarget, ensureSameRows } from './copy-rows';
import { type DayUnderSeal, isCurrent } from './day-under-seal';

/** Rows that may be copied while the writer waits. */
const MAX_LATER_ROWS = 512;
/** A day that gets events faster than they are copied is not one to be sealed. */
const MAX_ROUNDS = 4;
const RETRY_MS = 500;

export interface SealOptions extends CopyOptions {
  /**
   * Runs a task on the connection of the writer, while nothing is written and no batch is compared with stored events.
   * @returns false when that is not possible now
   */
  readonly alone: (task: (writer: DuckDBConnection) => Promise<void>) => Promise<boolean>;
  /** Replaces parts by one with all of their events, in one transaction. */
  readonly replaceParts: (writer: DuckDBConnection, parts: readonly Part[], by: Part) => Promise<void>;
  /** Called after the commit, before anything is written or read. */
  readonly onReplaced: (day: DayUnderSeal) => void;
  /** Called when the day is in force, but another process must open the file to read it. */
  readonly onUnreadable: (error: unknown) => void;
}

/** @returns the number of rows; null when the day changed during the seal, and nothing was done */
export async function sealDay(
  connection: DuckDBConnection,
  day: DayUnderSeal,
  options: SealOptions
): Promise<number | null> {
  try {
    await createTarget(connection, day);
    let copied: readonly number[] = day.from.map(() => 0);
    for (let round = 0; round < MAX_ROUNDS && isCurrent(day); round++) {
      copied = await copyRows(connection, day, copied, options);
      await ensureSameRows(connection, day, copied);
      if (await replaceWhenPossible(connection, day, copied, options)) {
        return await finish(connection, day, options);
      }
    }
  } catch (error) {
    await dropSealed(connection, [day.target]);
    // Retention has dropped it, or later events do not fit the layout.
    if (!options.signal.aborted && (!isCurrent(day) || isNotDerived(error))) return null;
    throw error;
  }
  await dropSealed(connection, [day.target]);
  return null;
}

/** @returns false when the day has changed */
async function replaceWhenPossible(
  connection: DuckDBConnection,
  day: DayUnderSeal,
  copied: readonly number[],
  options: SealOptions
): Promise<boolean> {
  let isReplaced = false;
  const task = async (writer: DuckDBConnection): Promise<void> => {
    isReplaced = await replace(connection, writer, day, copied, options);
  };
  options.signal.throwIfAborted();
  while (!(await options.alone(task))) await delay(RETRY_MS, undefined, { signal: options.signal });
  return isReplaced;
}

async function replace(
  connection: DuckDBConnection,
  writer: DuckDBConnection,
  day: DayUnderSeal,
  copied: readonly number[],
  options: SealOptions
): Promise<boolean> {
  if (!isCurrent(day)) return false;
  let later = 0;
  for (const [i, part] of day.from.entries()) later += (await countRows(writer, part)) - copied[i]!;
  if (later > MAX_LATER_ROWS) return false;
  if (later > 0) await copyRows(connection, day, copied, { ...options, pause: () => Promise.resolve() });
  await options.replaceParts(writer, day.from, day.target);
  options.onReplaced(day);
  return true;
}

/** Drops the former sealed part, and moves the new one from the log to its file. */
async function finish(
  connection: DuckDBConnection,
  { from, target }: DayUnderSeal,
  { onUnreadable }: SealOptions
): Promise<number> {
  const rows = await countRows(connection, target);
  await dropSealed(connection, from);
  try {
    await connection.run(`CHECKPOINT ${SEALED_DATABASE}`);
  } catch (error) {
    // Refused while a query that began before still runs: the log has the rows. Any other failure makes the file
    // unreadable for this process.
    await countRows(connection, target).catch(() => onUnreadable(error));
  }
  return rows;
}
