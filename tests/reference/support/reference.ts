/** The reference implementation: a Java process that answers one line with one line (driver/). */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { delimiter, join } from 'node:path';
import { failed, type Outcome, parseExact } from './outcome';

/** @default what scripts/test-reference.mjs has built */
const FOLDER = process.env['LQE_REFERENCE_DRIVER'] ?? '';

interface Request {
  readonly sql: string;
  readonly params?: Readonly<Record<string, string | null>>;
  readonly define?: string;
}

export class Reference {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly waiting: ((line: string) => void)[] = [];
  private stderr = '';

  constructor() {
    const classPath = ['classes', 'grpc', 'lib/*'].map((part) => join(FOLDER, part)).join(delimiter);
    this.process = spawn('java', ['-Xmx2g', '-Xss16m', '-cp', classPath, 'reference.Main']);
    this.process.stderr.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-4000);
    });
    createInterface({ input: this.process.stdout }).on('line', (line) => this.waiting.shift()?.(line));
    this.process.once('exit', () => {
      for (const resolve of this.waiting.splice(0)) resolve(JSON.stringify(failed(`the driver ended: ${this.stderr}`)));
    });
  }

  /** Requests are answered in their order. */
  async run(sql: string, params?: Readonly<Record<string, string | null>>): Promise<Outcome> {
    return this.send({ sql, ...(params && { params }) });
  }

  /** Keeps the rows of a query as a table. @throws Error for a query that fails */
  async define(name: string, sql: string): Promise<void> {
    const { error } = await this.send({ sql, define: name });
    if (error !== undefined) throw new Error(`table ${name}: ${error}`);
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.stdin.end();
    await ended;
  }

  private async send(request: Request): Promise<Outcome> {
    if (this.process.exitCode !== null || this.process.signalCode !== null)
      throw new Error(`the driver ended: ${this.stderr}`);
    const line = await new Promise<string>((resolve) => {
      this.waiting.push(resolve);
      this.process.stdin.write(`${JSON.stringify(request)}\n`);
    });
    return parseExact(line) as Outcome;
  }
}
