/**
 * Last time at which the clock of this machine was known to be right, kept in the data folder. The server notes it
 * while it runs; `lqe store confirm-clock` sets it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replacePrivateFile } from '../files/private-file';

const fileSchema = z.object({ known_time: z.iso.datetime() });

/** @returns null where there is no such file, or none that can be read */
export async function readKnownTime(dataDir: string): Promise<Date | null> {
  try {
    const { known_time: text } = fileSchema.parse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')));
    return new Date(text);
  } catch {
    return null;
  }
}

export async function writeKnownTime(dataDir: string, time: Date): Promise<void> {
  await replacePrivateFile(fileIn(dataDir), `${JSON.stringify({ known_time: time.toISOString() })}\n`);
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'clock.json');
}
