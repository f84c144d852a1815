/** The ClickHouse engine of the tests, for measuring: see tests/clickhouse. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface Front {
  readonly url: string;
  readonly pid: number;
  /** @returns the rows */
  query(sql: string, database?: string): Promise<unknown[][]>;
  stop(): Promise<void>;
}

export async function startFront(root: string, dataDir: string): Promise<Front> {
  const folder = join(root, 'tests', 'clickhouse');
  if (!existsSync(join(folder, 'node_modules', 'chdb'))) {
    throw new Error('the ClickHouse engine is missing: run "npm ci" in tests/clickhouse');
  }
  const child = spawn(process.execPath, [join(folder, 'front', 'main.mjs'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const match = /listens on (\S+)/.exec(chunk.toString());
      if (match) resolve(match[1] as string);
    });
    void ended.then(() => reject(new Error('the ClickHouse engine ended')));
  });
  return {
    url,
    pid: child.pid!,
    async query(sql, database = 'default') {
      const parameters = new URLSearchParams({ default_format: 'JSONCompactEachRow', database });
      const answer = await fetch(`${url}/?${parameters.toString()}`, { method: 'POST', body: sql });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as unknown[]);
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
