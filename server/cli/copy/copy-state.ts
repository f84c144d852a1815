/** Progress of a copy in a file of the data folder, so that an interrupted copy can continue. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const stateSchema = z.object({
  target: z.string(),
  /** Number of rows stored at the target, by table of a day. */
  done: z.record(z.string(), z.int().min(0)),
});

export class CopyState {
  private readonly file: string;
  private readonly target: string;
  private readonly done: Record<string, number>;

  /** @param target a different target starts from the beginning */
  constructor(dataDir: string, target: string) {
    this.file = join(dataDir, 'copy-to-clickhouse.json');
    this.target = target;
    const saved = readState(this.file);
    this.done = saved?.target === target ? saved.done : {};
  }

  rowsDone(table: string): number {
    return this.done[table] ?? 0;
  }

  /** Records that all rows before are stored. If the newest entry is lost, a batch is sent twice and stored once. */
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
