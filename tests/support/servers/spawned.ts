/** The built server as a process of its own, with its real engine and store. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAnswer, type RawAnswer } from '../fakes/connection';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const SERVER = path.join(ROOT, 'build', 'bin', 'server.js');
const CLI = path.join(ROOT, 'build', 'bin', 'lqe.js');

export const PROCESS_TOKEN = 'bootstrap-token-for-tests';

/** A folder with data, the saved queries of the project and one without a sandbox. */
export interface Place {
  readonly folder: string;
  readonly dataDir: string;
  readonly endpointsDir: string;
  remove(): void;
}

export function createPlace(): Place {
  const folder = mkdtempSync(path.join(tmpdir(), 'lqe-service-'));
  const endpointsDir = path.join(folder, 'endpoints');
  cpSync(path.join(ROOT, 'endpoints'), endpointsDir, { recursive: true });
  writeFileSync(path.join(endpointsDir, 'closed.yaml'), CLOSED);
  return {
    folder,
    dataDir: path.join(folder, 'data'),
    endpointsDir,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const CLOSED = `id: 7d1a9fd0-0000-4000-8000-000000000003
name: closed
unknown_parameters: refuse
parameters:
  - { name: count, type: integer }
  - { name: ratio, type: number }
  - { name: flag, type: boolean }
  - { name: at, type: timestamp }
  - { name: code, pattern: '[a-z]{2}\\d+', default: ab1 }
query: |
  SELECT id FROM edge_requests LIMIT 1
`;

export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Everything it has written. */
  output(): string;
  /** @returns the exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  send(request: Uint8Array): Promise<RawAnswer>;
}

/**
 * Resolves when the server says that it listens. Rejects with its words when it ends before.
 * @param node @default the Node of the tests
 */
export async function startService(
  place: Place,
  env: Readonly<Record<string, string>> = {},
  node?: string
): Promise<ServiceProcess> {
  const { child, output } = spawnServer(place, env, node);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout!.on('data', () => {
      const match = /listens on http:\/\/[\d.]+:(\d+) /.exec(output());
      if (match) resolve(Number(match[1]));
    });
    void exited.then(() => reject(new Error(output())));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    child,
    output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
    send: (request) => sendOverTcp(port, request),
  };
}

/** The engine is the one child of the server; null while it is being started again. */
export function enginePidOf({ child: { pid } }: ServiceProcess): number | null {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? null : Number(children.split(' ')[0]);
}

/** For starts that fail. */
export async function runServer(
  place: Place,
  env: Readonly<Record<string, string>> = {}
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { child, output } = spawnServer(place, env);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, output: output() };
}

export async function runCli(...args: string[]): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: Buffer.concat(chunks).toString() };
}

export interface CliOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runCliWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<CliOutcome> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutSettings(process.env), ...env },
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

function withoutSettings(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('LQE_')));
}

function spawnServer(
  place: Place,
  env: Readonly<Record<string, string>>,
  node = process.execPath
): { child: ChildProcess; output: () => string } {
  const child = spawn(node, [SERVER], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutSettings(process.env),
      LQE_PORT: '0',
      LQE_DATA_DIR: place.dataDir,
      LQE_ENDPOINTS_DIR: place.endpointsDir,
      LQE_BOOTSTRAP_TOKEN: PROCESS_TOKEN,
      LQE_DRAIN_DELAY_MS: '0',
      ...env,
    },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { child, output: () => Buffer.concat(chunks).toString() };
}

function sendOverTcp(port: number, request: Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    // An error that is thrown in a listener fails no test, but the whole file.
    socket.on('close', () => {
      try {
        resolve(parseAnswer(Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
    socket.write(request);
  });
}
