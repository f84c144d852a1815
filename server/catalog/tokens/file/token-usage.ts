/**
 * Time of the last use of each token. Kept in memory and written periodically to a separate file, so that no call waits
 * for it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replacePrivateFile } from '../../../common/files/private-file';

const USAGE_FILE = 'tokens.usage.json';
const usageSchema = z.record(z.string(), z.iso.datetime());

export class TokenUsage {
  /** Milliseconds since 1970. */
  private readonly lastUsed: Map<string, number>;
  private changed = false;

  constructor(private readonly dataDir: string) {
    const saved = Object.entries(readTokenUsage(dataDir));
    this.lastUsed = new Map(saved.map(([tokenId, time]) => [tokenId, Date.parse(time)]));
  }

  note(tokenId: string, now: Date): void {
    this.lastUsed.set(tokenId, now.getTime());
    this.changed = true;
  }

  /** ISO 8601 times by token id. */
  read(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.lastUsed].map(([tokenId, time]) => [tokenId, new Date(time).toISOString()]));
  }

  async flush(): Promise<void> {
    if (!this.changed) return;
    this.changed = false;
    try {
      await replacePrivateFile(join(this.dataDir, USAGE_FILE), `${JSON.stringify(this.read(), null, 2)}\n`);
    } catch (error) {
      this.changed = true;
      throw error;
    }
  }
}

/** Time of the last use by token id. An unreadable file counts as empty, since the data is not essential. */
export function readTokenUsage(dataDir: string): Readonly<Record<string, string>> {
  try {
    return usageSchema.parse(JSON.parse(readFileSync(join(dataDir, USAGE_FILE), 'utf8')));
  } catch {
    return {};
  }
}
