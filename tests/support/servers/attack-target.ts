/**
 * The target of the attacks: the built server with its engine, logs of two projects per source, tokens of several
 * kinds.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope, TokenPolicy } from '#contract/tokens/token';
import { type AttackMode, type AttackStep, expand } from '../cases/attacks';
import { requestBytes } from '../cases/http/bad-requests';
import { createPlace, PROCESS_TOKEN, type ServiceProcess, startService } from './spawned';
import { writeRevocation, writeToken } from './write-token';

export const MINE = 'mine';
/** In every event of the other project, and nowhere else. */
export const NEIGHBOUR_MARK = 'NEIGHBOURSECRET';
/** Personal data in my own events: to be seen, unless redaction is on. */
const PERSONAL = ['ada.attack@example.com', '198.51.100.77'];

export interface Ground {
  readonly service: ServiceProcess;
  readonly words: Readonly<Record<string, string>>;
  enginePid(): number;
  send(step: AttackStep): Promise<AttackAnswer>;
  /** The rows of both projects in every table: what no attack may change. */
  takeStock(): Promise<unknown>;
  /** Tries again while the store is busy or is being started. */
  runPlainQuery(): Promise<unknown>;
  close(): Promise<number | null>;
}

export interface AttackAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sandbox table -> source, and where the project stands. */
export const TABLES: Readonly<Record<string, readonly [source: string, projectField: string | null]>> = {
  edge_logs: ['edge_requests', null],
  postgres_logs: ['database', null],
  function_edge_logs: ['function_relay', 'project_ref'],
  function_logs: ['function_events', 'project_ref'],
  auth_logs: ['auth_service', null],
  realtime_logs: ['realtime_service', 'project'],
  storage_logs: ['storage_service', 'project'],
  postgrest_logs: ['rest_gateway', null],
  pgbouncer_logs: ['connection_pooler', null],
};
const SOURCES = Object.values(TABLES).map(([source]) => source);
const EVENTS_OF_EACH = 20;
const EDGE_EVENTS = 2000;

const ALL_SCOPES = 'query,adhoc,endpoints:read,endpoints:write,metrics:read,cache:bypass';

/**
 * The saved query of the tests' own questions: as `logs.all`, without what a mode changes. With its short timeout, a
 * question that waits for the next engine process is refused for a minute on a busy machine; from its cache, the rows
 * after an attack would be those before.
 */
const OWN_QUERY = 'logs.own';
const OWN_QUERY_ID = '7d1a9fd0-0000-4000-8000-000000000004';

const RATE = 9_999_999;

/** The tokens of all grounds. */
const TOKENS = mkdtempSync(join(tmpdir(), 'lqe-attack-tokens-'));
let words: Readonly<Record<string, string>> | null = null;

/** After the last ground. */
export const removeTokens = (): void => rmSync(TOKENS, { recursive: true, force: true });

/** @param env where the server has its store; it must be empty */
export async function openGround(mode: AttackMode, env: Readonly<Record<string, string>>): Promise<Ground> {
  const place = createPlace();
  for (const name of readdirSync(place.endpointsDir)) {
    if (!name.endsWith('.yaml')) continue;
    const file = join(place.endpointsDir, name);
    const text = readFileSync(file, 'utf8').replace(/^cache_seconds:.*\n|^warm_seconds:.*\n|^timeout_ms:.*\n/gm, '');
    const { timeout_ms, cache_seconds } = mode;
    const lines = Object.entries({ timeout_ms, cache_seconds }).filter(([, value]) => value !== null);
    writeFileSync(
      file,
      text.replace(/^name: .*\n/m, (line) => line + lines.map(([key, value]) => `${key}: ${value}\n`).join(''))
    );
  }
  const own = readFileSync(join(place.endpointsDir, 'logs.all.yaml'), 'utf8')
    .replace(/^(?:timeout_ms|cache_seconds):.*\n/gm, '')
    .replace(/^id: .*$/m, `id: ${OWN_QUERY_ID}`)
    .replace(/^name: .*$/m, `name: ${OWN_QUERY}`);
  writeFileSync(join(place.endpointsDir, 'own.yaml'), own);
  words ??= makeTokens(TOKENS);
  cpSync(TOKENS, place.dataDir, { recursive: true });
  const service = await startService(place, {
    LQE_MAX_WRONG_KEYS_PER_MINUTE: '100000',
    ...mode.settings,
    ...env,
  });
  const known = words;
  await fill(service, known['shipper']!);
  const send = (step: AttackStep) => sendStep(service, known, mode, step);
  return {
    service,
    words: known,
    enginePid: () => childOf(service.child.pid!),
    send,
    takeStock: () => takeStock(service, known['auditor']!),
    runPlainQuery: () => askPatiently(service, known['auditor']!, MINE, 'select count(*) as n from edge_logs'),
    close: async () => {
      const code = await service.stop('SIGINT');
      place.remove();
      return code;
    },
  };
}

/** A token whose texts end the engine twice is refused for a minute: heavy attacks take turns. */
export const HEAVY_ATTACKERS = Array.from({ length: 12 }, (_, i) => `heavy-${i}`);

/** Tokens as `lqe token create` makes them, without a process for each. */
function makeTokens(dataDir: string): Record<string, string> {
  const create = (name: string, scopes: string, policy: Partial<TokenPolicy> = {}): string =>
    writeToken(dataDir, { name, rate: RATE, scopes: scopes.split(',') as Scope[], ...policy });
  const ofProject = (project: string): Partial<TokenPolicy> => ({ fixed_parameters: { project } });
  const revoked = create('revoked', 'query,adhoc');
  writeRevocation(dataDir, 'revoked');
  return {
    revoked,
    bootstrap: PROCESS_TOKEN,
    attacker: create('attacker', 'query,adhoc', ofProject(MINE)),
    ...Object.fromEntries(HEAVY_ATTACKERS.map((name) => [name, create(name, 'query,adhoc', ofProject(MINE))])),
    neighbour: create('neighbour', 'query,adhoc', ofProject('neighbour')),
    tenant: create('tenant', ALL_SCOPES, { tenant: MINE }),
    bound: create('bound', ALL_SCOPES, ofProject(MINE)),
    free: create('free', 'query,adhoc'),
    auditor: create('auditor', 'query,adhoc'),
    plain: create('plain', 'query', ofProject(MINE)),
    usage: create('usage', 'query,adhoc,endpoints:read', { endpoints: ['usage.api-counts'] }),
    capped: create('capped', 'query,adhoc', { ...ofProject(MINE), max_rows: 3 }),
    forced: create('forced', 'query,adhoc', { ...ofProject(MINE), force_redaction: true }),
    shipper: create('shipper', 'ingest'),
    reader: create('reader', 'endpoints:read'),
    scraper: create('scraper', 'metrics:read'),
  };
}

async function fill(service: ServiceProcess, token: string): Promise<void> {
  for (const [source, projectField] of Object.values(TABLES)) {
    const count = source === 'edge_requests' ? EDGE_EVENTS : EVENTS_OF_EACH;
    const events = [...Array(count).keys()].flatMap((n) => [
      eventOf(source, projectField, MINE, n),
      ...(n < EVENTS_OF_EACH ? [eventOf(source, projectField, 'neighbour', n)] : []),
    ]);
    const answer = await fetch(`${service.url}/api/logs?source=${source}`, {
      method: 'POST',
      headers: { 'X-API-KEY': token, 'Content-Type': 'application/x-ndjson' },
      body: events.map((event) => JSON.stringify(event)).join('\n'),
    });
    if (answer.status !== 200) throw new Error(`${source}: ${await answer.text()}`);
  }
}

function eventOf(source: string, projectField: string | null, project: string, n: number): object {
  const text = project === MINE ? `mine ${n} ${PERSONAL.join(' ')}` : `${NEIGHBOUR_MARK} ${n}`;
  return {
    id: `${source}-${project}-${n}`,
    timestamp: new Date(Date.now() - n * 1000).toISOString(),
    ...(projectField === null ? { project } : {}),
    event_message: text,
    metadata: {
      ...(projectField === null ? {} : { [projectField]: project }),
      ...(source === 'edge_requests'
        ? {
            request: { path: `/rest/v1/${n}`, url: `https://${project}.example/rest/v1/${n}?k=${text}`, method: 'GET' },
            response: { status_code: n % 10 === 0 ? 500 : 200 },
          }
        : { level: 'info', note: text }),
    },
  };
}

async function sendStep(
  service: ServiceProcess,
  words: Readonly<Record<string, string>>,
  mode: AttackMode,
  step: AttackStep
): Promise<AttackAnswer> {
  const fillIn = (text: string) => expand(text, words);
  if (step.request !== undefined) {
    const bytes = requestBytes(
      {
        name: '',
        request: fillIn(step.request),
        body: step.body === undefined ? undefined : fillIn(step.body),
        status: 0,
        code: '',
        details: {},
        headers: {},
      },
      words
    );
    const { status, headers, text } = await service.send(bytes);
    return { status, headers, text };
  }
  const isIngest = step.sql === undefined && step.lql === undefined && step.get === undefined;
  const token = words[step.token ?? (isIngest ? 'shipper' : 'attacker')];
  const given = Object.fromEntries(Object.entries(step.headers ?? {}).map(([name, value]) => [name, fillIn(value)]));
  const headers: Record<string, string> = { ...mode.headers, ...(token ? { 'X-API-KEY': token } : {}), ...given };
  const call = `${service.url}/api/endpoints/query/${step.endpoint ?? 'logs.all'}`;
  if (step.get !== undefined) return answerOf(await fetch(`${call}?${fillIn(step.get)}`, { headers }));
  if (!isIngest) {
    const text = step.sql === undefined ? { lql: fillIn(step.lql ?? '') } : { sql: fillIn(step.sql) };
    const body = JSON.stringify({ params: { project: MINE }, ...text });
    return answerOf(
      await fetch(call, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body })
    );
  }
  const gzipped = step.gzip === undefined ? undefined : gzipSync(fillIn(step.gzip));
  return answerOf(
    await fetch(`${service.url}/api/logs?source=${step.source ?? 'edge_requests'}`, {
      method: 'POST',
      headers: {
        'Content-Type': step.type ?? 'application/x-ndjson',
        ...(gzipped ? { 'Content-Encoding': 'gzip' } : {}),
        ...headers,
      },
      body: gzipped ?? Buffer.from(unescapeBytes(fillIn(step.body ?? '')), 'latin1'),
    })
  );
}

/** `\xHH` is one byte; all other text is UTF-8. */
function unescapeBytes(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replace(/\\x([0-9a-f]{2})/g, (_all, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

async function answerOf(response: Response): Promise<AttackAnswer> {
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

async function takeStock(service: ServiceProcess, token: string): Promise<unknown> {
  const counts = Object.keys(TABLES).map((table) => `select '${table}' as t, count(*) as n from ${table}`);
  const facts = 'min(id) as a, max(id) as b, count(distinct id) as n';
  const stock: unknown[] = [];
  for (const project of [MINE, 'neighbour']) {
    stock.push(await askPatiently(service, token, project, `${counts.join(' union all ')} order by t`));
    stock.push(await askPatiently(service, token, project, `select ${facts} from edge_logs`));
  }
  return stock;
}

/**
 * Tries again while the engine is busy, is being started, or refuses what it was ended for: an attack may have cost it.
 */
async function askPatiently(service: ServiceProcess, token: string, project: string, sql: string): Promise<unknown> {
  for (let attempt = 0; ; attempt += 1) {
    const body = JSON.stringify({ params: { project }, sql });
    const headers = { 'X-API-KEY': token, 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}/api/endpoints/query/${OWN_QUERY}`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status === 200) return JSON.parse(text);
    if (![422, 429, 502, 503, 504].includes(answer.status) || attempt > 140)
      throw new Error(`a plain query fails: ${text}`);
    await sleep(500);
  }
}

/** The engine is the one child of the server. */
function childOf(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  );
  return children[0] ?? 0;
}

export { SOURCES };
