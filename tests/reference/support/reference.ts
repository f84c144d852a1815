/** The reference implementation: a Java process that answers one line with one line (driver/). */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { delimiter, join } from 'node:path';
import { SerialQueue } from '#server/common/scheduling/serial-queue';
import { failed, type Outcome, parseExact } from './outcome';

/** @default what scripts/optional-suites/reference.mjs has built */
const FOLDER = process.env['LQE_REFERENCE_DRIVER'] ?? '';

interface Request {
  readonly sql: string;
  readonly params?: Readonly<Record<string, string | null>>;
  readonly define?: string;
  readonly seconds?: number;
}

/** Largest time of a query, unless it is given. */
const SECONDS = 20;

interface Driver {
  readonly process: ChildProcessWithoutNullStreams;
  readonly waiting: ((line: string) => void)[];
  stderr: string;
}

export class Reference {
  private driver: Driver | null = null;
  /** Serializes requests, so that only the one that takes too long fails. */
  private readonly queue = new SerialQueue();
  /** Requests that define tables, for a new process. */
  private readonly tables: Request[] = [];

  /** A query that takes longer gives the error "timeout: ..." and ends the process; the next one starts another. */
  run(sql: string, params: Readonly<Record<string, string | null>>, seconds = SECONDS): Promise<Outcome> {
    return this.queue.run(() => this.send({ sql, params, seconds }));
  }

  /** Keeps the rows of a query as a table. @throws Error for a query that fails */
  async define(name: string, sql: string): Promise<void> {
    const request = { sql, define: name, seconds: SECONDS };
    const { error } = await this.queue.run(() => this.send(request));
    if (error !== undefined) throw new Error(`table ${name}: ${error}`);
    this.tables.push(request);
  }

  async close(): Promise<void> {
    if (this.driver === null) return;
    const ended = once(this.driver.process, 'exit');
    this.driver.process.stdin.end();
    await ended;
  }

  private async send(request: Request): Promise<Outcome> {
    if (this.driver === null) {
      this.driver = this.start();
      for (const table of this.tables) await ask(this.driver, table);
    }
    return ask(this.driver, request);
  }

  private start(): Driver {
    const classPath = ['classes', 'grpc', 'lib/*'].map((part) => join(FOLDER, part)).join(delimiter);
    const process = spawn('java', ['-Xmx2g', '-Xss16m', '-cp', classPath, 'reference.Main']);
    const driver: Driver = { process, waiting: [], stderr: '' };
    process.stderr.on('data', (chunk: Buffer) => {
      driver.stderr = (driver.stderr + chunk.toString()).slice(-4000);
    });
    createInterface({ input: process.stdout }).on('line', (line) => driver.waiting.shift()?.(line));
    process.stdin.on('error', () => undefined);
    process.once('exit', () => {
      if (this.driver === driver) this.driver = null;
      for (const resolve of driver.waiting.splice(0))
        resolve(JSON.stringify(failed(`the driver ended: ${driver.stderr}`)));
    });
    return driver;
  }
}

async function ask({ process, waiting }: Driver, request: Request): Promise<Outcome> {
  const line = await new Promise<string>((resolve) => {
    waiting.push(resolve);
    process.stdin.write(`${JSON.stringify(request)}\n`);
  });
  const outcome = parseExact(line) as Outcome;
  if (isTimeout(outcome) && process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  return outcome;
}

function isTimeout({ error }: Outcome): boolean {
  return error?.startsWith('timeout:') ?? false;
}
