/** The service without its engine process: real app, real HTTP parser, real tokens in a folder of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { type Source, sourceSchema } from '#contract/events/source';
import { type TokenPolicy, UNLIMITED_POLICY } from '#contract/tokens/token';
import { createApp } from '#server/app/create-app';
import { type Clock, systemClock } from '#server/common/clock';
import { type Config, envToConfig, readEnv } from '#server/config';
import { type AppContext, assembleContext } from '#server/app/context';
import { createLogger } from '#server/monitoring/create-logger';
import { createDefinitions } from '#server/catalog/definitions/definitions';
import { createSources } from '#server/catalog/definitions/sources';
import { createHttpServer } from '#server/http/server';
import { SAVED_QUERY, SOURCE } from '#server/catalog/revisions/kind';
import { RevisionFolder } from '#server/catalog/revisions/revision-folder';
import { AuditFiles } from '#server/catalog/audit/audit-files';
import { loadServerKey } from '#server/catalog/tokens/secrets/server-key';
import { TokenFileRepository } from '#server/catalog/tokens/file/token-file-repository';
import { TokenStore } from '#server/catalog/tokens/token-store';
import { createStandInEngine, type StandInEngine } from '../fakes/engine';
import { writeToken } from './write-token';

export const BOOTSTRAP_TOKEN = 'bootstrap-token-for-tests';

export interface TestService {
  readonly server: Server;
  readonly ctx: AppContext;
  readonly engine: StandInEngine;
  readonly dataDir: string;
  /** Lines of the log so far, parsed. */
  readonly log: Readonly<Record<string, unknown>>[];
  /** Everything logged, as text. */
  readonly logText: () => string;
  createToken(policy?: Partial<TokenPolicy>): string;
  close(): void;
}

export interface TestServiceOptions {
  readonly definitions?: readonly SavedQuery[];
  readonly sources?: readonly Source[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** How old the view of the tokens may be. @default 0 */
  readonly tokensMaxAgeMs?: number;
  /** @default a new folder */
  readonly dataDir?: string;
}

export function createTestService(options: TestServiceOptions = {}): TestService {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'lqe-test-'));
  const config: Config = envToConfig(
    readEnv({ LQE_DATA_DIR: dataDir, LQE_BOOTSTRAP_TOKEN: BOOTSTRAP_TOKEN, ...options.settings })
  );
  const lines: string[] = [];
  const engine = createStandInEngine();
  const clock = options.clock ?? systemClock;
  const repository = new TokenFileRepository({
    dataDir,
    onUnreadable: () => lines.push('{"msg":"unreadable"}'),
    maxAgeMs: options.tokensMaxAgeMs ?? 0,
  });
  const ctx = assembleContext({
    config,
    logger: createLogger('debug', { write: (line: string) => void lines.push(line) }),
    clock,
    engine,
    sources: createSources(
      options.sources ?? [sourceSchema.parse({ name: 'edge_requests', aliases: ['cloudflare.logs.prod'] })]
    ),
    definitions: createDefinitions(options.definitions ?? [USAGE, LOGS, CLOSED]),
    tokens: new TokenStore({
      repository,
      key: loadServerKey(dataDir),
      bootstrapToken: BOOTSTRAP_TOKEN,
      now: () => clock.now(),
    }),
    tokenRegister: repository,
    catalog: null,
    audit: new AuditFiles(dataDir),
    ofApi: {
      queries: nothingServed(new RevisionFolder(dataDir, new AuditFiles(dataDir), SAVED_QUERY)),
      sources: nothingServed(new RevisionFolder(dataDir, new AuditFiles(dataDir), SOURCE)),
    },
    sharedResults: null,
  });
  return {
    server: createHttpServer(createApp(ctx), config.http),
    ctx,
    engine,
    dataDir,
    get log() {
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    logText: () => lines.join(''),
    createToken: (policy = {}) => writeToken(dataDir, { ...OPEN_POLICY, ...policy }),
    close: () => {
      ctx.queryCache.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export const OPEN_POLICY: TokenPolicy = {
  ...UNLIMITED_POLICY,
  name: 'test',
  scopes: ['query', 'adhoc', 'ingest', 'endpoints:read'],
};

export const USAGE = savedQuerySchema.parse({
  id: '7d1a9fd0-0000-4000-8000-000000000001',
  name: 'usage.api-counts',
  query: 'select 1 as n',
  cache_seconds: 900,
  warm_seconds: 300,
  sandbox: true,
  parameters: [
    { name: 'interval', required: true, enum: ['minutely', 'hourly', 'daily'] },
    { name: 'project', required: true, format: 'regex' },
  ],
});

export const LOGS = savedQuerySchema.parse({
  id: '7d1a9fd0-0000-4000-8000-000000000002',
  name: 'logs.all',
  query: 'select 1 as n',
  sandbox: true,
  revision: 7,
  parameters: [
    { name: 'project', required: true },
    { name: 'iso_timestamp_start', format: 'iso8601' },
    { name: 'iso_timestamp_end', format: 'iso8601' },
  ],
});

/** No sandbox, no tolerance, typed parameters. */
export const CLOSED = savedQuerySchema.parse({
  id: '7d1a9fd0-0000-4000-8000-000000000003',
  name: 'closed',
  query: 'select 1 as n',
  unknown_parameters: 'refuse',
  parameters: [
    { name: 'count', type: 'integer' },
    { name: 'ratio', type: 'number' },
    { name: 'flag', type: 'boolean' },
    { name: 'at', type: 'timestamp' },
    { name: 'code', pattern: '[a-z]{2}\\d+', default: 'ab1' },
  ],
});

function nothingServed(repository: RevisionFolder): {
  repository: RevisionFolder;
  heads: [];
  cursor: string;
  definitions: [];
} {
  return { repository, heads: [], cursor: 'read', definitions: [] };
}
