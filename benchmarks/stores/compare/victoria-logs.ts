/** VictoriaLogs as a process of its own on an empty folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient, type HttpClient } from '../../support/http-client';

export interface VictoriaLogs {
  readonly pid: number;
  readonly client: HttpClient;
  /** A client with a connection of its own. */
  connect(): HttpClient;
  stop(): Promise<void>;
}

const START_TRIES = 100;

export async function startVictoriaLogs(binary: string, dataDir: string, port: number): Promise<VictoriaLogs> {
  const url = `http://127.0.0.1:${port}`;
  const flags = {
    storageDataPath: dataDir,
    httpListenAddr: `127.0.0.1:${port}`,
    retentionPeriod: '30d',
    loggerLevel: 'ERROR',
  };
  const child = spawn(
    binary,
    Object.entries(flags).map(([name, value]) => `-${name}=${value}`),
    { stdio: ['ignore', 'ignore', 'inherit'] }
  );
  const exited = once(child, 'exit');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${binary} cannot be started`);
  const client = createHttpClient(url, '');
  const isReady = (): Promise<boolean> =>
    client.get('/health').then(
      ({ status }) => status === 200,
      () => false
    );
  for (let tries = 0; !(await isReady()); tries++) {
    if (child.exitCode !== null || tries === START_TRIES) throw new Error(`${binary} does not serve on ${url}`);
    await delay(100);
  }
  return {
    pid,
    client,
    connect: () => createHttpClient(url, ''),
    stop: async () => {
      client.close();
      child.kill('SIGINT');
      await exited;
    },
  };
}
