/**
 * Settings, read once from the environment. `server/config.ts` validates values by this table; `docs/settings.md` is
 * tested against it, and has the same groups in the same order.
 */
import { parseOrigins } from './origins';

interface SettingBase {
  readonly name: `LQE_${string}`;
  readonly description: string;
}

export type Setting = SettingBase &
  (
    | {
        readonly type: 'text';
        readonly default: string | null;
        readonly secret?: boolean;
        readonly minLength?: number;
        readonly form?: { readonly pattern: Pick<RegExp, 'test'>; readonly words: string };
      }
    | { readonly type: 'choice'; readonly default: string; readonly choices: readonly string[] }
    | { readonly type: 'integer'; readonly default: number; readonly min: number; readonly max: number }
  );

/** A text of this form that the clients of these services can read, too. */
function urlOf(pattern: RegExp): Pick<RegExp, 'test'> {
  return { test: (text) => pattern.test(text) && URL.canParse(text) };
}

/** Characters of the bootstrap token, at least. */
export const MIN_BOOTSTRAP_TOKEN = 20;

export const SETTINGS = [
  // Where and what
  { name: 'LQE_HOST', type: 'text', default: '127.0.0.1', description: 'Address to listen on.' },
  {
    name: 'LQE_PORT',
    type: 'integer',
    default: 8080,
    min: 0,
    max: 65_535,
    description: 'Port to listen on; 0 takes a free one.',
  },
  {
    name: 'LQE_DATA_DIR',
    type: 'text',
    default: './data',
    description: 'Folder of the store, the tokens and the server key. Made when it is missing.',
  },
  {
    name: 'LQE_ENDPOINTS_DIR',
    type: 'text',
    default: './endpoints',
    description: 'Folder of the saved queries, one YAML file each.',
  },
  {
    name: 'LQE_SOURCES_FILE',
    type: 'text',
    default: './sources.yaml',
    description: 'YAML file that declares the sources: where log events of each kind are kept.',
  },
  {
    name: 'LQE_SYSLOG_FILE',
    type: 'text',
    default: null,
    description:
      'YAML file of the listeners for syslog messages ([shippers.md](shippers.md#syslog)). When unset: no listener.',
  },
  {
    name: 'LQE_STORE',
    type: 'choice',
    default: 'duckdb',
    choices: ['duckdb', 'clickhouse'],
    description:
      'Where log events are kept: `duckdb`, a file in the data folder; `clickhouse`, a server or cluster (`LQE_CLICKHOUSE_URL`).',
  },
  {
    name: 'LQE_BOOTSTRAP_TOKEN',
    type: 'text',
    default: null,
    secret: true,
    minLength: MIN_BOOTSTRAP_TOKEN,
    description:
      'When set: a token with every scope, for the first start and for containers. At least 20 visible ASCII characters.',
  },
  {
    name: 'LQE_CORS_ORIGINS',
    type: 'text',
    default: null,
    form: {
      pattern: { test: (text) => parseOrigins(text) !== null },
      words:
        'origins as browsers send them, separated by commas, like "https://app.example,http://localhost:3000": no "*", no path, no default port',
    },
    description:
      'Origins of web pages that may call the service from a browser, separated by commas. When unset: none.',
  },
  {
    name: 'LQE_CONSOLE',
    type: 'choice',
    default: 'on',
    choices: ['on', 'off'],
    description: 'Whether the server sends the console, the pages at `/`.',
  },
  {
    name: 'LQE_COMPATIBILITY',
    type: 'choice',
    default: 'on',
    choices: ['on', 'off'],
    description: 'Whether the paths of older services ([http-api.md](http-api.md#aliases)) reach their routes.',
  },
  {
    name: 'LQE_LOG_LEVEL',
    type: 'choice',
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    description: 'Least severe level that is logged. Requests are logged at `info`.',
  },

  // Several servers
  {
    name: 'LQE_SERVER_KEY',
    type: 'text',
    default: null,
    secret: true,
    form: { pattern: /^[0-9a-f]{64}$/, words: '64 hexadecimal digits in lower case' },
    description:
      'Key under which tokens are hashed and shared results are signed: the same for all servers that share them. When unset: `server.key` in the data folder.',
  },
  {
    name: 'LQE_CATALOG_URL',
    type: 'text',
    default: null,
    secret: true,
    form: { pattern: /^postgres(ql)?:\/\/./, words: 'a URL like postgres://user:password@host:5432/database' },
    description:
      'PostgreSQL database that several servers take their tokens, saved queries and sources from. When unset: files (`LQE_DATA_DIR`, `LQE_ENDPOINTS_DIR`, `LQE_SOURCES_FILE`).',
  },
  {
    name: 'LQE_AUDIT_DAYS',
    type: 'integer',
    default: 365,
    min: 1,
    max: 36_500,
    description: 'How long the entries of the audit trail (`GET /api/audit`) are kept, in days.',
  },
  {
    name: 'LQE_CATALOG_MAX_AGE_SECONDS',
    type: 'integer',
    default: 3600,
    min: 5,
    max: 2_592_000,
    description:
      'How long tokens and definitions that were read go on working while that database does not answer; then calls get `catalog_unavailable`.',
  },
  {
    name: 'LQE_CACHE_URL',
    type: 'text',
    default: null,
    secret: true,
    form: {
      pattern: urlOf(/^rediss?:\/\/./),
      words: 'a URL like redis://:password@host:6379/0, with special characters of the password as %XX',
    },
    description: 'Redis in which several servers share cached results. When unset: each server caches for itself.',
  },
  {
    name: 'LQE_CACHE_TIMEOUT_MS',
    type: 'integer',
    default: 50,
    min: 1,
    max: 10_000,
    description: 'How long a call waits for Redis, in milliseconds; later it is a miss.',
  },

  // ClickHouse
  {
    name: 'LQE_CLICKHOUSE_URL',
    type: 'text',
    default: 'http://127.0.0.1:8123',
    form: {
      pattern: urlOf(/^https?:\/\/[^@\s]+$/),
      words: 'a URL like https://clickhouse:8443, without user and password',
    },
    description: 'HTTP interface of ClickHouse, without user and password.',
  },
  {
    name: 'LQE_CLICKHOUSE_DATABASE',
    type: 'text',
    default: 'lqe',
    form: { pattern: /^[A-Za-z][A-Za-z0-9_]{0,63}$/, words: 'a letter, then letters, digits and underscores' },
    description: 'Database of the tables; `lqe store init` makes it.',
  },
  {
    name: 'LQE_CLICKHOUSE_USER',
    type: 'text',
    default: 'default',
    description: 'User that stores events, ends queries, and makes the tables.',
  },
  {
    name: 'LQE_CLICKHOUSE_PASSWORD',
    type: 'text',
    default: null,
    secret: true,
    description: 'Password of that user.',
  },
  {
    name: 'LQE_CLICKHOUSE_READ_USER',
    type: 'text',
    default: null,
    description:
      'User that runs the queries of callers and has no other right. When unset: the user above, read-only by setting.',
  },
  {
    name: 'LQE_CLICKHOUSE_READ_PASSWORD',
    type: 'text',
    default: null,
    secret: true,
    description: 'Password of that user.',
  },
  {
    name: 'LQE_CLICKHOUSE_CLUSTER',
    type: 'text',
    default: null,
    form: { pattern: /^[A-Za-z0-9_.-]{1,64}$/, words: 'the name of a cluster' },
    description:
      'Cluster of `remote_servers`: tables are replicated and spread over its shards. When unset: a single server.',
  },
  {
    name: 'LQE_CLICKHOUSE_MEMORY_MB',
    type: 'integer',
    default: 2048,
    min: 64,
    max: 1_048_576,
    description: 'Memory that one query may use in ClickHouse, in MiB. A query that needs more gets `resource_limit`.',
  },
  {
    name: 'LQE_CLICKHOUSE_MAX_SECONDS',
    type: 'integer',
    default: 60,
    min: 1,
    max: 600,
    description:
      'Longest time that ClickHouse runs one query, in seconds, also where the `timeout_ms` of the saved query is longer.',
  },
  {
    name: 'LQE_CLICKHOUSE_MAX_WAITING_MB',
    type: 'integer',
    default: 96,
    min: 1,
    max: 65_536,
    description: 'Batches that are not stored yet, in MiB; beyond it senders get `concurrency_limited` (429).',
  },
  {
    name: 'LQE_CLICKHOUSE_MAX_INGESTS',
    type: 'integer',
    default: 32,
    min: 1,
    max: 256,
    description:
      'In place of `LQE_MAX_INGESTS` with ClickHouse: batches that arrive during an insert are stored together by the next one.',
  },

  // Engine
  {
    name: 'LQE_ENGINE_MEMORY_MB',
    type: 'integer',
    default: 512,
    min: 64,
    max: 1_048_576,
    description: 'Memory the store may use for running queries, in MiB. A query that needs more gets `resource_limit`.',
  },
  {
    name: 'LQE_ENGINE_RSS_MB',
    type: 'integer',
    default: 1200,
    min: 128,
    max: 1_048_576,
    description: 'Resident memory, in MiB, at which the engine process is ended and started again.',
  },
  {
    name: 'LQE_KEPT_COUNTS_MAX_BYTES',
    type: 'integer',
    default: 33_554_432,
    min: 0,
    max: 68_719_476_736,
    description:
      'Memory for the counts of whole days, which are used again by later calls, in bytes; part of `LQE_ENGINE_MEMORY_MB`. 0: none are kept. Not for ClickHouse.',
  },
  {
    name: 'LQE_SEARCH_FILTERS_MAX_BYTES',
    type: 'integer',
    default: 16_777_216,
    min: 0,
    max: 68_719_476_736,
    description:
      'Memory for parts of search filters that were read, in bytes, and the same again for filters of open days. 0: there are no filters, and searches read all events. Not for ClickHouse.',
  },
  {
    name: 'LQE_ENGINE_THREADS',
    type: 'integer',
    default: 0,
    min: 0,
    max: 256,
    description:
      'Threads of the store; 0: one for each processor. Queries that read less than some 500,000 events use one.',
  },
  {
    name: 'LQE_SEAL_AFTER_MINUTES',
    type: 'integer',
    default: 60,
    min: 0,
    max: 100_000,
    description:
      'Minutes without new events after which a past day is sealed: rewritten once in the background, so that it takes half the space and queries read less of it. 0: never, except by `lqe store seal`. Without effect on ClickHouse.',
  },

  // How much at once
  {
    name: 'LQE_MAX_REQUESTS_PER_MINUTE',
    type: 'integer',
    default: 600,
    min: 1,
    max: 10_000_000,
    description: 'Requests of one token in a minute, unless it has a rate of its own; more get `rate_limited`.',
  },
  {
    name: 'LQE_MAX_WRONG_KEYS_PER_MINUTE',
    type: 'integer',
    default: 60,
    min: 1,
    max: 10_000_000,
    description: 'Wrong access tokens from one address in a minute; more get `rate_limited`.',
  },
  {
    name: 'LQE_MAX_CHANGES_PER_MINUTE',
    type: 'integer',
    default: 60,
    min: 1,
    max: 1_000_000,
    description:
      'Changes of saved queries and tokens, and purges of cached results, that one token or all tokens of a tenant may make in a minute.',
  },
  {
    name: 'LQE_MAX_RUNNING',
    type: 'integer',
    default: 4,
    min: 1,
    max: 256,
    description: 'Queries that run at once.',
  },
  {
    name: 'LQE_MAX_RUNNING_PER_TOKEN',
    type: 'integer',
    default: 4,
    min: 1,
    max: 256,
    description: 'Queries of one token that run at once; more of them wait.',
  },
  {
    name: 'LQE_MAX_RUNNING_ADHOC',
    type: 'integer',
    default: 2,
    min: 1,
    max: 256,
    description:
      'Ad-hoc queries that run at once; the other places are for saved queries. One token leaves a place to others where there are two.',
  },
  {
    name: 'LQE_MAX_RUNNING_CHECKS',
    type: 'integer',
    default: 2,
    min: 1,
    max: 256,
    description:
      'Validations that run at once, beside the queries. One token leaves a place to others where there are two.',
  },
  {
    name: 'LQE_MAX_RUNNING_BACKGROUND',
    type: 'integer',
    default: 1,
    min: 1,
    max: 256,
    description: 'Queries that no caller waits for (cache warming) that run at once.',
  },
  {
    name: 'LQE_MAX_WAITING',
    type: 'integer',
    default: 32,
    min: 0,
    max: 10_000,
    description: 'Saved queries that wait, and as many ad-hoc ones; one more gets `overloaded`.',
  },
  {
    name: 'LQE_MAX_WAITING_PER_TOKEN',
    type: 'integer',
    default: 16,
    min: 0,
    max: 10_000,
    description: 'Saved queries of one token that wait, and as many ad-hoc ones; one more gets `concurrency_limited`.',
  },
  {
    name: 'LQE_MAX_CONNECTIONS',
    type: 'integer',
    default: 4096,
    min: 1,
    max: 1_000_000,
    description:
      'Open connections; for one more, the connection that is idle for the longest time is closed, or the new one when none is idle.',
  },
  {
    name: 'LQE_MAX_INGESTS',
    type: 'integer',
    default: 4,
    min: 1,
    max: 256,
    description:
      'Ingest batches that are decoded and stored at once, at most half of them of one token; 32 times as many wait, one more gets `overloaded`.',
  },

  // Cache
  {
    name: 'LQE_CACHE_MAX_BYTES',
    type: 'integer',
    default: 67_108_864,
    min: 0,
    max: 68_719_476_736,
    description: 'Memory for cached results, in bytes; a result that is larger is not cached. 0: nothing is cached.',
  },
  {
    name: 'LQE_CACHE_MAX_ENTRIES',
    type: 'integer',
    default: 10_000,
    min: 0,
    max: 1_000_000,
    description: 'Cached results; beyond them the least recently used one is removed. 0: nothing is cached.',
  },

  // Sizes
  {
    name: 'LQE_MAX_UNREAD_BYTES',
    type: 'integer',
    default: 268_435_456,
    min: 1024,
    max: 1_099_511_627_776,
    description:
      'Answers that callers have not read yet, in bytes; beyond it calls get `overloaded`. The last quarter is for tokens with at most 4 MiB.',
  },
  {
    name: 'LQE_MAX_UNREAD_BYTES_PER_TOKEN',
    type: 'integer',
    default: 67_108_864,
    min: 1024,
    max: 1_099_511_627_776,
    description: 'The same for one token; beyond it its calls get `concurrency_limited`.',
  },
  {
    name: 'LQE_MAX_URL_BYTES',
    type: 'integer',
    default: 16_384,
    min: 1024,
    max: 65_536,
    description: 'Longest request target, in bytes; a longer one gets `uri_too_long`.',
  },
  {
    name: 'LQE_MAX_HEADER_BYTES',
    type: 'integer',
    default: 32_768,
    min: 4096,
    max: 131_072,
    description: 'All request headers together, in bytes; more get `headers_too_large`.',
  },
  {
    name: 'LQE_MAX_QUERY_BODY_BYTES',
    type: 'integer',
    default: 262_144,
    min: 1024,
    max: 16_777_216,
    description: 'Body of a call or of a validation, in bytes, before and after inflating.',
  },
  {
    name: 'LQE_MAX_SQL_BYTES',
    type: 'integer',
    default: 65_536,
    min: 1024,
    max: 1_048_576,
    description: 'Ad-hoc SQL text, in bytes; a longer one gets `query_too_complex`.',
  },
  {
    name: 'LQE_MAX_INGEST_BODY_BYTES',
    type: 'integer',
    default: 10_485_760,
    min: 1024,
    max: 268_435_456,
    description: 'Body of an ingest batch as sent, in bytes.',
  },
  {
    name: 'LQE_MAX_INGEST_EVENTS',
    type: 'integer',
    default: 100_000,
    min: 1,
    max: 1_000_000,
    description: 'Events of one ingest request; a request with more is answered 413, and nothing of it is stored.',
  },
  {
    name: 'LQE_MAX_INGEST_INFLATED_BYTES',
    type: 'integer',
    default: 67_108_864,
    min: 1024,
    max: 402_653_184,
    description: 'Body of an ingest batch after inflating, in bytes.',
  },
  {
    name: 'LQE_MAX_INGEST_BUFFER_BYTES',
    type: 'integer',
    default: 268_435_456,
    min: 1024,
    max: 1_099_511_627_776,
    description:
      'Ingest bodies in memory, as received and as inflated, in bytes; beyond it senders get `overloaded`. The last quarter is for tokens with at most 4 MiB. One body of the largest size always fits.',
  },
  {
    name: 'LQE_MAX_INGEST_BUFFER_BYTES_PER_TOKEN',
    type: 'integer',
    default: 134_217_728,
    min: 1024,
    max: 1_099_511_627_776,
    description: 'The same for one token; beyond it its senders get `concurrency_limited`.',
  },
  {
    name: 'LQE_SYSLOG_MAX_MESSAGE_BYTES',
    type: 'integer',
    default: 65_536,
    min: 480,
    max: 131_072,
    description: 'One syslog message, in bytes; what a longer one has more is cut off and counted.',
  },
  {
    name: 'LQE_SYSLOG_MAX_BUFFER_BYTES',
    type: 'integer',
    default: 16_777_216,
    min: 1_048_576,
    max: 1_073_741_824,
    description:
      'Messages of one syslog listener that are not stored yet, in bytes; part of `LQE_MAX_INGEST_BUFFER_BYTES`. Beyond it TCP senders wait, and datagrams are dropped and counted.',
  },
  {
    name: 'LQE_SYSLOG_MAX_CONNECTIONS',
    type: 'integer',
    default: 1024,
    min: 1,
    max: 100_000,
    description:
      'Open connections of syslog senders, half of them at most of one listener where there are several; one more is closed at once. Each takes 64 KiB of `LQE_MAX_INGEST_BUFFER_BYTES`.',
  },
  {
    name: 'LQE_SYSLOG_MAX_CONNECTIONS_PER_ADDRESS',
    type: 'integer',
    default: 64,
    min: 1,
    max: 100_000,
    description: 'Open connections of one address (IPv6: of one network of 64 bits) at one syslog listener.',
  },

  // Times
  {
    name: 'LQE_HEADERS_TIMEOUT_MS',
    type: 'integer',
    default: 10_000,
    min: 100,
    max: 600_000,
    description: 'Time for all headers of a request to arrive, in milliseconds.',
  },
  {
    name: 'LQE_REQUEST_TIMEOUT_MS',
    type: 'integer',
    default: 60_000,
    min: 100,
    max: 3_600_000,
    description: 'Time for a whole request to arrive, in milliseconds.',
  },
  {
    name: 'LQE_MIN_BODY_BYTES_PER_SECOND',
    type: 'integer',
    default: 1024,
    min: 0,
    max: 1_048_576,
    description:
      'Slowest average rate of a request body after its first 5 seconds, in bytes a second; a slower one gets `body_too_slow`. 0: any rate.',
  },
  {
    name: 'LQE_SYSLOG_IDLE_SECONDS',
    type: 'integer',
    default: 3600,
    min: 1,
    max: 604_800,
    description: 'After how many seconds without a byte the connection of a syslog sender is closed.',
  },
  {
    name: 'LQE_INGEST_TIMEOUT_MS',
    type: 'integer',
    default: 60_000,
    min: 100,
    max: 600_000,
    description: 'Time for one ingest batch to be stored, in milliseconds.',
  },
  {
    name: 'LQE_ANSWER_TIMEOUT_MS',
    type: 'integer',
    default: 60_000,
    min: 100,
    max: 3_600_000,
    description: 'Time for a caller to read a response, in milliseconds; then the connection is closed.',
  },
  {
    name: 'LQE_KEEP_ALIVE_TIMEOUT_MS',
    type: 'integer',
    default: 65_000,
    min: 100,
    max: 3_600_000,
    description: 'How long an idle connection is kept open, in milliseconds.',
  },
  {
    name: 'LQE_DRAIN_DELAY_MS',
    type: 'integer',
    default: 5000,
    min: 0,
    max: 600_000,
    description:
      'After SIGTERM: how long calls are still taken while `/health/ready` says `draining`, in milliseconds. SIGINT does not wait.',
  },
  {
    name: 'LQE_DRAIN_TIMEOUT_MS',
    type: 'integer',
    default: 25_000,
    min: 0,
    max: 600_000,
    description: 'How long running calls may take to end before the process stops, in milliseconds.',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]['name'];

/** Variables of the command line tool. The server ignores them instead of reporting them as unknown. */
export const CLIENT_VARIABLES = [
  {
    name: 'LQE_TOKEN',
    description:
      'Access token that `lqe import`, `lqe endpoints`, `lqe mcp` and `lqe token` send when `--token` is not given.',
  },
  {
    name: 'LQE_URL',
    description:
      'Base URL of the server for `lqe import`, `lqe endpoints` and `lqe mcp`, and for `lqe token`, which otherwise works on the data folder.',
  },
] as const;
