/**
 * The service under test: the built server with its engine, on a data folder. `scripts/` brings the ways to start it.
 */
import { type Scope, UNLIMITED_POLICY } from '#contract/tokens/token';
import { createToken } from '#server/catalog/tokens/file/manage-tokens';
import { createHttpClient, type HttpClient } from './http-client';
import { childOf } from './processes';
import { MEMORY_LIMIT_MB, THREADS } from './settings';

/**
 * What `scripts/processes/server-process.mjs` exports: scripts/bench.mjs passes it, and TypeScript checks there that it
 * fits.
 */
export interface ServerScripts {
  startServer(options: { env: Record<string, string>; stdio: 'inherit' | 'ignore' }): {
    /** Undefined when the process could not be started. */
    readonly pid: number | undefined;
    stop(): void;
    readonly ended: Promise<number>;
    ready(url: string): Promise<boolean>;
  };
  freePort(host: string, port: number): Promise<number | undefined>;
}

export interface Service {
  readonly client: HttpClient;
  readonly url: string;
  readonly token: string;
  readonly serverPid: number;
  readonly enginePid: number;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

export interface ServiceOptions {
  /** @default 'warn' */
  readonly logLevel?: string;
  /** Where the log goes. @default 'inherit' */
  readonly stdio?: 'inherit' | 'ignore';
  /** Further settings of the server. @default {} */
  readonly env?: Readonly<Record<string, string>>;
}

/** A token without limits of rate and rows. */
export async function createBenchmarkToken(
  dataDir: string,
  name: string,
  scopes: Scope[],
  tenant: string | null = null
): Promise<string> {
  const { text } = await createToken(
    dataDir,
    { ...UNLIMITED_POLICY, name, scopes, tenant, rate: 10_000_000 },
    new Date()
  );
  return text;
}

export async function startService(
  scripts: ServerScripts,
  dataDir: string,
  { logLevel = 'warn', stdio = 'inherit', env = {} }: ServiceOptions = {}
): Promise<Service> {
  const port = await scripts.freePort(HOST, 0);
  const url = `http://${HOST}:${port}`;
  const token = await createBenchmarkToken(dataDir, 'benchmark', [
    'query',
    'adhoc',
    'ingest',
    'cache:bypass',
    'metrics:read',
  ]);
  const server = scripts.startServer({
    env: {
      LQE_HOST: HOST,
      LQE_PORT: String(port),
      LQE_DATA_DIR: dataDir,
      LQE_LOG_LEVEL: logLevel,
      LQE_ENGINE_MEMORY_MB: String(MEMORY_LIMIT_MB),
      LQE_ENGINE_THREADS: String(THREADS),
      ...env,
    },
    stdio,
  });
  const { pid } = server;
  if (!(await server.ready(url)) || pid === undefined) throw new Error(`The server did not start on ${dataDir}.`);
  const client = createHttpClient(url, token);
  return {
    client,
    url,
    token,
    serverPid: pid,
    enginePid: childOf(pid),
    stop: async () => {
      client.close();
      server.stop();
      await server.ended;
    },
  };
}
