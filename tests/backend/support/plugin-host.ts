/**
 * Does what Grafana does with a plugin: starts the built executable with no more environment than Grafana gives, reads
 * the handshake, connects, calls every service, and stops it as its plugin library does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client, type ClientReadableStream, credentials, type ServiceError } from '@grpc/grpc-js';
import type {
  CallResourceRequest,
  CallResourceResponse,
  CheckHealthResponse,
  CollectMetricsResponse,
  QueryDataResponse,
  StreamAnswer,
  StreamPacket,
} from '#backend/proto/messages';
import { serviceDefinition, type ServiceName } from '#backend/plugin-protocol/service-definition';
import { EXECUTABLE, PLUGIN_ID } from '#contract/plugin/plugin';
import { EXTRA_ENV, PLUGIN_FOLDER } from './host-environment';

const PLATFORM = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as 'linux'];
const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64'];
const KILL_AFTER_MS = 2_000;

/** Settings of a data source as a test gives them; the rest is as Grafana fills it in. */
export interface SourceSettings {
  readonly url: string;
  readonly uid?: string;
  readonly orgId?: number;
  readonly updatedMs?: number;
  readonly jsonData?: object;
  readonly secure?: Readonly<Record<string, string>>;
  readonly basicAuthUser?: string;
  readonly grafanaConfig?: Readonly<Record<string, string>>;
  /** Null: a request without a user, as of alert rules. @default an editor */
  readonly user?: { readonly login: string; readonly role: string } | null;
}

export interface HostQuery {
  readonly refId: string;
  readonly query: object;
  /** Milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  readonly intervalMs?: number;
  readonly maxDataPoints?: number;
}

export interface PluginHost {
  readonly handshake: string;
  readonly child: ChildProcess;
  readonly startedInMs: number;
  stdout(): string;
  stderr(): string;
  unary<T>(service: ServiceName, method: string, request: object, options?: CallOptions): Promise<T>;
  /** A stream of the server; the caller reads and cancels it. */
  stream<T>(service: ServiceName, method: string, request: object): ClientReadableStream<T>;
  query(
    source: SourceSettings,
    queries: readonly HostQuery[],
    options?: CallOptions
  ): Promise<QueryDataResponse['responses']>;
  health(source: SourceSettings): Promise<{ status: number; message: string; details: Record<string, unknown> }>;
  resource(
    source: SourceSettings,
    method: string,
    path: string,
    body?: unknown
  ): Promise<{ code: number; headers: CallResourceResponse['headers']; body: unknown }>;
  metrics(): Promise<string>;
  subscribe(source: SourceSettings, path: string, data: object): Promise<number>;
  tail(source: SourceSettings, path: string, data: object): ClientReadableStream<StreamPacket>;
  /** Stops it as Grafana does. @returns exit code, and how long it took */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null; tookMs: number }>;
  /** Cuts the connections as a killed Grafana would, and leaves the process alone. */
  vanish(): void;
  readonly exited: Promise<[number | null, NodeJS.Signals | null]>;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
}

export function executablePath(folder = PLUGIN_FOLDER): string {
  return path.join(folder, `${EXECUTABLE}_${PLATFORM}_${ARCHITECTURE}`);
}

/** @param env on top of what Grafana sets */
export async function startPlugin(
  env: Readonly<Record<string, string>> = {},
  executable = executablePath()
): Promise<PluginHost> {
  const startedAt = performance.now();
  const child = spawn(executable, [], {
    env: { ...grafanaEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const output = collect(child);
  const handshake = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const end = output.stdout().indexOf('\n');
      if (end !== -1) resolve(output.stdout().slice(0, end));
    });
    void exited.then(([code]) => reject(new Error(`The plugin ended with ${code}: ${output.stderr()}`)));
  });
  const startedInMs = performance.now() - startedAt;
  const [, , network, address] = handshake.split('|');
  const client = new Client(network === 'unix' ? `unix:${address}` : address!, credentials.createInsecure(), {
    'grpc.max_receive_message_length': 2 ** 31 - 1,
  });
  const calls = callsOf(client);
  // As the library does right after connecting: it reads our output, and holds a stream for connections it never makes.
  const stdio = calls.stream('plugin.GRPCStdio', 'StreamStdio', {});
  stdio.on('error', () => undefined).on('data', () => undefined);

  return {
    handshake,
    child,
    startedInMs,
    ...output,
    ...calls,
    exited,
    query: async (source, queries, options) => {
      const request = {
        pluginContext: pluginContext(source),
        headers: options?.headers ?? {},
        queries: queries.map(dataQuery),
      };
      return (await calls.unary<QueryDataResponse>('pluginv2.Data', 'QueryData', request, options)).responses;
    },
    health: async (source) => {
      const request = { pluginContext: pluginContext(source), headers: {} };
      const { status, message, jsonDetails } = await calls.unary<CheckHealthResponse>(
        'pluginv2.Diagnostics',
        'CheckHealth',
        request
      );
      return { status, message, details: JSON.parse(Buffer.from(jsonDetails).toString()) as Record<string, unknown> };
    },
    resource: async (source, method, resourcePath, body) => {
      const request: Partial<CallResourceRequest> = {
        pluginContext: pluginContext(source) as unknown as CallResourceRequest['pluginContext'],
        method,
        path: resourcePath.split('?')[0],
        url: resourcePath.includes('?') ? `/${resourcePath}` : `/${resourcePath}?`,
        headers: { 'Content-Type': { values: ['application/json'] } },
        body:
          body === undefined ? Buffer.alloc(0) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      };
      const answers: CallResourceResponse[] = [];
      for await (const answer of calls.stream<CallResourceResponse>('pluginv2.Resource', 'CallResource', request))
        answers.push(answer as CallResourceResponse);
      const first = answers[0]!;
      return {
        code: first.code,
        headers: first.headers,
        body: JSON.parse(Buffer.concat(answers.map((answer) => answer.body)).toString()) as unknown,
      };
    },
    metrics: async () => {
      const { metrics } = await calls.unary<CollectMetricsResponse>('pluginv2.Diagnostics', 'CollectMetrics', {});
      return Buffer.from(metrics.prometheus).toString();
    },
    subscribe: async (source, streamPath, data) =>
      (await calls.unary<StreamAnswer>('pluginv2.Stream', 'SubscribeStream', streamRequest(source, streamPath, data)))
        .status,
    tail: (source, streamPath, data) =>
      calls.stream('pluginv2.Stream', 'RunStream', streamRequest(source, streamPath, data)),
    vanish: () => {
      stdio.cancel();
      client.close();
    },
    stop: async () => {
      const stoppedAt = performance.now();
      await calls.unary('plugin.GRPCController', 'Shutdown', {}).catch(() => undefined);
      client.close();
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
      const [code, signal] = await exited;
      clearTimeout(timer);
      return { code, signal, tookMs: performance.now() - stoppedAt };
    },
  };
}

/** What Grafana sets since 12.4: nothing of its own environment. */
export function grafanaEnvironment(): Record<string, string> {
  return {
    grafana_plugin_type: 'datasource',
    PLUGIN_PROTOCOL_VERSIONS: '2',
    PLUGIN_MIN_PORT: '10000',
    PLUGIN_MAX_PORT: '25000',
    GF_VERSION: '13.1.0',
    GF_EDITION: 'Open Source',
    GF_INSTANCE_FEATURE_TOGGLES_ENABLE: '',
    ...EXTRA_ENV,
  };
}

function collect(child: ChildProcess): { stdout: () => string; stderr: () => string } {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout!.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr!.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  return {
    stdout: () => Buffer.concat(chunks.stdout).toString(),
    stderr: () => Buffer.concat(chunks.stderr).toString(),
  };
}

function callsOf(client: Client): Pick<PluginHost, 'unary' | 'stream'> {
  const methodOf = (service: ServiceName, method: string) => serviceDefinition(service)[method]!;
  return {
    unary: <T>(
      service: ServiceName,
      name: string,
      request: object,
      { signal, deadlineMs = 60_000 }: CallOptions = {}
    ) =>
      new Promise<T>((resolve, reject) => {
        const { path: route, requestSerialize, responseDeserialize } = methodOf(service, name);
        const call = client.makeUnaryRequest(
          route,
          requestSerialize,
          responseDeserialize,
          request,
          { deadline: Date.now() + deadlineMs },
          (error: ServiceError | null, answer) => (error ? reject(error) : resolve(answer as T))
        );
        signal?.addEventListener('abort', () => call.cancel());
      }),
    stream: <T>(service: ServiceName, name: string, request: object) => {
      const { path: route, requestSerialize, responseDeserialize } = methodOf(service, name);
      return client.makeServerStreamRequest(
        route,
        requestSerialize,
        responseDeserialize,
        request
      ) as ClientReadableStream<T>;
    },
  };
}

function pluginContext({
  url,
  uid = 'source',
  orgId = 1,
  updatedMs = 1,
  jsonData = {},
  secure = {},
  basicAuthUser,
  grafanaConfig = {},
  user = { login: 'editor', role: 'Editor' },
}: SourceSettings): object {
  return {
    orgId,
    pluginId: PLUGIN_ID,
    ...(user === null ? {} : { user: { name: 'A person', email: 'person@example.org', ...user } }),
    grafanaConfig,
    dataSourceInstanceSettings: {
      id: 1,
      name: 'Logs',
      uid,
      url,
      basicAuthEnabled: basicAuthUser !== undefined,
      basicAuthUser: basicAuthUser ?? '',
      jsonData: Buffer.from(JSON.stringify(jsonData)),
      decryptedSecureJsonData: secure,
      lastUpdatedMs: updatedMs,
    },
  };
}

function dataQuery({
  refId,
  query,
  from = Date.now() - 3_600_000,
  to = Date.now(),
  intervalMs = 60_000,
  maxDataPoints = 500,
}: HostQuery): object {
  return {
    refId,
    maxDataPoints,
    intervalMs,
    timeRange: { fromEpochMs: from, toEpochMs: to },
    json: Buffer.from(JSON.stringify({ refId, ...query })),
    queryType: '',
  };
}

function streamRequest(source: SourceSettings, streamPath: string, data: object): object {
  return {
    pluginContext: pluginContext(source),
    path: streamPath,
    data: Buffer.from(JSON.stringify(data)),
    headers: {},
  };
}
