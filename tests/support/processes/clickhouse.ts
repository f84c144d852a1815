/**
 * The ClickHouse engine of the tests: a process that speaks ClickHouse's HTTP interface (see tests/clickhouse). One per
 * test file: it starts in under two seconds, and databases keep cases apart.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PACKAGE = path.resolve(__dirname, '..', '..', 'clickhouse');

/** See tests/clickhouse/front/rules.mjs. */
export interface FaultRule {
  readonly match?: string;
  readonly skip?: number;
  readonly times?: number;
  readonly then: Readonly<Record<string, string | number | boolean>>;
}

export interface ClickHouseEngine {
  readonly url: string;
  /** User `default` without password may do all; `reader` with `read` may only read. */
  readonly pid: number;
  /** Sets what goes wrong from now on; an empty list ends it. */
  setRules(rules: readonly FaultRule[]): Promise<void>;
  /** Statements that came since the rules were last set. */
  seen(): Promise<readonly { readonly text: string; readonly settings: Readonly<Record<string, string>> }[]>;
  /** Runs SQL on the engine, past the rules of `setRules`. @returns the rows as JSONCompactEachRow */
  query(sql: string): Promise<unknown[][]>;
  /** Kills the process; `restart` opens the same data on the same port. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** @param dataDir an empty folder, which goes with the engine. @default a new one */
export async function startClickHouseEngine(
  dataDir = mkdtempSync(path.join(tmpdir(), 'lqe-clickhouse-'))
): Promise<ClickHouseEngine> {
  if (!existsSync(path.join(PACKAGE, 'node_modules', 'chdb'))) {
    throw new Error('the ClickHouse engine of the tests is missing: run "npm ci" in tests/clickhouse, or "npm test"');
  }
  let front = await startFront(dataDir, 0);
  const { url } = front;
  const port = Number(new URL(url).port);
  return {
    url,
    get pid() {
      return front.child.pid!;
    },
    async setRules(rules) {
      await fetch(`${url}/front/rules`, { method: 'POST', body: JSON.stringify(rules) });
    },
    async seen() {
      return (await (await fetch(`${url}/front/seen`)).json()) as Awaited<ReturnType<ClickHouseEngine['seen']>>;
    },
    async query(sql) {
      const answer = await fetch(`${url}/?default_format=JSONCompactEachRow`, { method: 'POST', body: sql });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as unknown[]);
    },
    async kill() {
      await end(front.child);
    },
    async restart() {
      await end(front.child);
      front = await startFront(dataDir, port);
    },
    async stop() {
      await end(front.child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function startFront(dataDir: string, port: number): Promise<{ child: ChildProcess; url: string }> {
  const main = path.join(PACKAGE, 'front', 'main.mjs');
  const child = spawn(process.execPath, [main, dataDir, String(port)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Each running statement holds a thread; one must be left for those that kill others.
    env: { ...process.env, UV_THREADPOOL_SIZE: '32' },
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = /listens on (\S+)/.exec(output);
      if (match) resolve(match[1]!);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`the ClickHouse engine of the tests ended: ${output}`)));
  });
  return { child, url };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
