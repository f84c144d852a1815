/**
 * Configuration from environment variables, in two pure steps: `readEnv` checks every value by the table of settings,
 * `envToConfig` groups them.
 */
import { parseOrigins } from '#contract/origins';
import { CLIENT_VARIABLES, type Setting, SETTINGS, type SettingName } from '#contract/settings';
import type { ClickHouseSettings } from './engine/protocol/messages';
import { nearestName } from '#contract/nearest-name';

export interface Config {
  readonly listen: { readonly host: string; readonly port: number };
  readonly files: { readonly dataDir: string; readonly endpointsDir: string; readonly sourcesFile: string };
  readonly store: Env['LQE_STORE'];
  /** Used only when `store` is `clickhouse`. */
  readonly clickhouse: ClickHouseSettings;
  readonly bootstrapToken: string | null;
  /** Whether the console is served. */
  readonly console: Env['LQE_CONSOLE'];
  /** Whether the paths of older services reach their routes. */
  readonly compatibility: Env['LQE_COMPATIBILITY'];
  /** Origins of web pages that may call the service. */
  readonly corsOrigins: readonly string[];
  /** 64 hexadecimal digits; null: the key in the data folder. */
  readonly serverKey: string | null;
  readonly auditDays: number;
  /** Null: tokens and definitions are in files. */
  readonly catalog: { readonly url: string; readonly maxAgeMs: number } | null;
  readonly logLevel: Env['LQE_LOG_LEVEL'];
  readonly engine: {
    readonly memoryLimitMb: number;
    readonly rssBudgetMb: number;
    readonly threads: number;
    readonly keptCountsMaxBytes: number;
    readonly searchFiltersMaxBytes: number;
  };
  /** Null: days are sealed by `lqe store seal` only. */
  readonly sealAfterMinutes: number | null;
  readonly runPermits: PermitLimits;
  readonly cache: { readonly maxEntries: number; readonly maxBytes: number };
  /** Null: each server has only its own cache. */
  readonly sharedCache: { readonly url: string; readonly timeoutMs: number } | null;
  readonly rates: RateLimits;
  readonly ingest: {
    /** By store. */
    readonly maxRunning: Readonly<Record<Config['store'], number>>;
    readonly maxBodyBytes: number;
    readonly maxInflatedBytes: number;
    /** Maximum events of one request. */
    readonly maxEvents: number;
    readonly buffer: BodyBudgetLimits;
    readonly timeoutMs: number;
  };
  readonly syslog: SyslogLimits & { /** Null: no listeners. */ readonly file: string | null };
  readonly unreadResponses: UnreadResponseLimits;
  readonly http: HttpLimits;
  readonly drain: { readonly delayMs: number; readonly timeoutMs: number };
}

export interface PermitLimits {
  readonly maxRunning: number;
  readonly maxRunningPerToken: number;
  /** Part of `maxRunning` for ad-hoc text. */
  readonly maxRunningAdhoc: number;
  /** Additional to `maxRunning`, for text that is compiled and not run. */
  readonly maxRunningChecks: number;
  /** Part of `maxRunning` for work without a waiting client. */
  readonly maxRunningBackground: number;
  /** Maximum waiting calls in each lane. */
  readonly maxWaiting: number;
  readonly maxWaitingPerToken: number;
}

export interface RateLimits {
  /** Limit of a token without its own rate. */
  readonly maxRequestsPerMinute: number;
  /** Limit for one client address. */
  readonly maxWrongKeysPerMinute: number;
  /** Limit of a token for changes of saved queries and tokens. */
  readonly maxChangesPerMinute: number;
}

export interface SyslogLimits {
  readonly maxMessageBytes: number;
  /** Maximum bytes of one listener that are not stored yet. */
  readonly maxBufferBytes: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly idleMs: number;
}

/** Limits of responses that clients have not read yet. */
export interface UnreadResponseLimits {
  readonly maxBytes: number;
  readonly maxBytesPerToken: number;
}

/** Limits of request bodies in memory, as received and as inflated. */
export interface BodyBudgetLimits {
  readonly maxBytes: number;
  readonly maxBytesPerToken: number;
}

export interface HttpLimits {
  readonly maxConnections: number;
  readonly maxUrlBytes: number;
  readonly maxHeaderBytes: number;
  readonly maxQueryBodyBytes: number;
  readonly maxSqlBytes: number;
  /** Minimum transfer rate of a request body; 0: any rate. */
  readonly minBytesPerSecond: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** Maximum time for the client to read a response. */
  readonly answerTimeoutMs: number;
}

/** Error that names all settings with invalid values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

type SettingOf<N extends SettingName> = Extract<(typeof SETTINGS)[number], { name: N }>;
type ValueOf<S> = S extends { type: 'integer' }
  ? number
  : S extends { choices: ReadonlyArray<infer C> }
    ? C
    : S extends { default: null }
      ? string | null
      : string;
export type Env = { readonly [N in SettingName]: ValueOf<SettingOf<N>> };

/** @throws ConfigError naming every variable that is wrong or unknown. */
export function readEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  const problems = unknownVariables(variables);
  const env: Record<string, string | number | null> = {};
  const settings: readonly Setting[] = SETTINGS;
  for (const setting of settings) {
    const text = variables[setting.name];
    if (text === undefined || text === '') {
      env[setting.name] = setting.default;
      continue;
    }
    const problem = checkValue(setting, text);
    if (problem) problems.push(`${setting.name}: ${problem}`);
    else env[setting.name] = setting.type === 'integer' ? Number(text) : text;
  }
  if (env['LQE_CLICKHOUSE_READ_PASSWORD'] && !env['LQE_CLICKHOUSE_READ_USER'])
    problems.push(
      'LQE_CLICKHOUSE_READ_PASSWORD: must be set with LQE_CLICKHOUSE_READ_USER, the user whose password it is'
    );
  if (problems.length > 0) throw new ConfigError(problems);
  return env as Env;
}

export function envToConfig(env: Env): Config {
  return {
    listen: { host: env.LQE_HOST, port: env.LQE_PORT },
    files: { dataDir: env.LQE_DATA_DIR, endpointsDir: env.LQE_ENDPOINTS_DIR, sourcesFile: env.LQE_SOURCES_FILE },
    store: env.LQE_STORE,
    clickhouse: clickHouseConfig(env),
    bootstrapToken: env.LQE_BOOTSTRAP_TOKEN,
    console: env.LQE_CONSOLE,
    compatibility: env.LQE_COMPATIBILITY,
    corsOrigins: env.LQE_CORS_ORIGINS === null ? [] : (parseOrigins(env.LQE_CORS_ORIGINS) ?? []),
    serverKey: env.LQE_SERVER_KEY,
    auditDays: env.LQE_AUDIT_DAYS,
    catalog:
      env.LQE_CATALOG_URL === null
        ? null
        : { url: env.LQE_CATALOG_URL, maxAgeMs: env.LQE_CATALOG_MAX_AGE_SECONDS * 1000 },
    logLevel: env.LQE_LOG_LEVEL,
    engine: {
      memoryLimitMb: env.LQE_ENGINE_MEMORY_MB,
      rssBudgetMb: env.LQE_ENGINE_RSS_MB,
      threads: env.LQE_ENGINE_THREADS,
      keptCountsMaxBytes: env.LQE_KEPT_COUNTS_MAX_BYTES,
      searchFiltersMaxBytes: env.LQE_SEARCH_FILTERS_MAX_BYTES,
    },
    sealAfterMinutes: env.LQE_SEAL_AFTER_MINUTES || null,
    runPermits: runPermits(env),
    cache: { maxEntries: env.LQE_CACHE_MAX_ENTRIES, maxBytes: env.LQE_CACHE_MAX_BYTES },
    sharedCache: env.LQE_CACHE_URL === null ? null : { url: env.LQE_CACHE_URL, timeoutMs: env.LQE_CACHE_TIMEOUT_MS },
    rates: {
      maxRequestsPerMinute: env.LQE_MAX_REQUESTS_PER_MINUTE,
      maxWrongKeysPerMinute: env.LQE_MAX_WRONG_KEYS_PER_MINUTE,
      maxChangesPerMinute: env.LQE_MAX_CHANGES_PER_MINUTE,
    },
    ingest: ingestConfig(env),
    syslog: syslogConfig(env),
    unreadResponses: {
      maxBytes: env.LQE_MAX_UNREAD_BYTES,
      maxBytesPerToken: env.LQE_MAX_UNREAD_BYTES_PER_TOKEN,
    },
    http: httpConfig(env),
    drain: { delayMs: env.LQE_DRAIN_DELAY_MS, timeoutMs: env.LQE_DRAIN_TIMEOUT_MS },
  };
}

function clickHouseConfig(env: Env): ClickHouseSettings {
  const writer = { name: env.LQE_CLICKHOUSE_USER, password: env.LQE_CLICKHOUSE_PASSWORD ?? '' };
  const { LQE_CLICKHOUSE_READ_USER: name, LQE_CLICKHOUSE_READ_PASSWORD: password } = env;
  return {
    url: env.LQE_CLICKHOUSE_URL,
    database: env.LQE_CLICKHOUSE_DATABASE,
    writer,
    reader: name === null ? writer : { name, password: password ?? '' },
    cluster: env.LQE_CLICKHOUSE_CLUSTER,
    memoryLimitMb: env.LQE_CLICKHOUSE_MEMORY_MB,
    maxSeconds: env.LQE_CLICKHOUSE_MAX_SECONDS,
    maxWaitingBytes: env.LQE_CLICKHOUSE_MAX_WAITING_MB * 1024 * 1024,
  };
}

function runPermits(env: Env): Config['runPermits'] {
  return {
    maxRunning: env.LQE_MAX_RUNNING,
    maxRunningPerToken: env.LQE_MAX_RUNNING_PER_TOKEN,
    maxRunningAdhoc: env.LQE_MAX_RUNNING_ADHOC,
    maxRunningChecks: env.LQE_MAX_RUNNING_CHECKS,
    maxRunningBackground: env.LQE_MAX_RUNNING_BACKGROUND,
    maxWaiting: env.LQE_MAX_WAITING,
    maxWaitingPerToken: env.LQE_MAX_WAITING_PER_TOKEN,
  };
}

function ingestConfig(env: Env): Config['ingest'] {
  return {
    maxRunning: { duckdb: env.LQE_MAX_INGESTS, clickhouse: env.LQE_CLICKHOUSE_MAX_INGESTS },
    maxBodyBytes: env.LQE_MAX_INGEST_BODY_BYTES,
    maxInflatedBytes: env.LQE_MAX_INGEST_INFLATED_BYTES,
    maxEvents: env.LQE_MAX_INGEST_EVENTS,
    buffer: {
      maxBytes: env.LQE_MAX_INGEST_BUFFER_BYTES,
      maxBytesPerToken: env.LQE_MAX_INGEST_BUFFER_BYTES_PER_TOKEN,
    },
    timeoutMs: env.LQE_INGEST_TIMEOUT_MS,
  };
}

function syslogConfig(env: Env): Config['syslog'] {
  return {
    file: env.LQE_SYSLOG_FILE,
    maxMessageBytes: env.LQE_SYSLOG_MAX_MESSAGE_BYTES,
    maxBufferBytes: env.LQE_SYSLOG_MAX_BUFFER_BYTES,
    maxConnections: env.LQE_SYSLOG_MAX_CONNECTIONS,
    maxConnectionsPerAddress: env.LQE_SYSLOG_MAX_CONNECTIONS_PER_ADDRESS,
    idleMs: env.LQE_SYSLOG_IDLE_SECONDS * 1000,
  };
}

function httpConfig(env: Env): Config['http'] {
  return {
    maxConnections: env.LQE_MAX_CONNECTIONS,
    maxUrlBytes: env.LQE_MAX_URL_BYTES,
    maxHeaderBytes: env.LQE_MAX_HEADER_BYTES,
    maxQueryBodyBytes: env.LQE_MAX_QUERY_BODY_BYTES,
    maxSqlBytes: env.LQE_MAX_SQL_BYTES,
    minBytesPerSecond: env.LQE_MIN_BODY_BYTES_PER_SECOND,
    headersTimeoutMs: env.LQE_HEADERS_TIMEOUT_MS,
    requestTimeoutMs: env.LQE_REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: env.LQE_KEEP_ALIVE_TIMEOUT_MS,
    answerTimeoutMs: env.LQE_ANSWER_TIMEOUT_MS,
  };
}

function unknownVariables(variables: Readonly<Record<string, string | undefined>>): string[] {
  const names: readonly string[] = SETTINGS.map((setting) => setting.name);
  const known = new Set([...names, ...CLIENT_VARIABLES.map((variable) => variable.name)]);
  return Object.keys(variables)
    .filter((name) => name.startsWith('LQE_') && !known.has(name))
    .map((name) => {
      const meant = nearestName(name, names);
      return `${name}: there is no such setting${meant ? `; did you mean ${meant}?` : ''}`;
    });
}

function checkValue(setting: Setting, text: string): string | undefined {
  if (/[\0\r\n]/.test(text)) return 'must not hold line breaks or NUL';
  switch (setting.type) {
    case 'integer': {
      const value = Number(text);
      const fits = /^\d{1,15}$/.test(text) && value >= setting.min && value <= setting.max;
      return fits ? undefined : `must be a whole number from ${setting.min} to ${setting.max}, not "${text}"`;
    }
    case 'choice':
      if (setting.choices.includes(text)) return undefined;
      return `must be ${setting.choices.map((choice) => `"${choice}"`).join(' or ')}, not "${text}"`;
    case 'text':
      // The value of a secret is never repeated in a message.
      if (setting.secret && !/^[\x21-\x7e]+$/.test(text)) return 'must be visible ASCII characters without blanks';
      if (setting.form && !setting.form.pattern.test(text)) return `must be ${setting.form.words}`;
      if (text.length < (setting.minLength ?? 1)) return `must have at least ${setting.minLength} characters`;
      return undefined;
  }
}
