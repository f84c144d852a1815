/** How far a copy has come, in a file beside the store, so that it goes on where it was stopped. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const stateSchema = z.object({
  target: z.string(),
  /** Rows that are stored at the target, by table of a day. */
  done: z.record(z.string(), z.int().min(0)),
});

export class CopyState {
  private readonly file: string;
  private readonly target: string;
  private readonly done: Record<string, number>;

  /** @param target another one begins anew */
  constructor(dataDir: string, target: string) {
    this.file = join(dataDir, 'copy-to-clickhouse.json');
    this.target = target;
    const saved = readState(this.file);
    this.done = saved?.target === target ? saved.done : {};
  }

  rowsDone(table: string): number {
    return this.done[table] ?? 0;
  }

  /** All rows before are stored. Losing the newest entry costs a batch that is sent twice and stored once. */
  save(table: string, rows: number): void {
    this.done[table] = rows;
    writeFileSync(`${this.file}.new`, JSON.stringify({ target: this.target, done: this.done }), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}

function readState(file: string): z.infer<typeof stateSchema> | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
