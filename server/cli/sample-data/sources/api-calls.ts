/** Calls of a project's HTTP API: area, path and response. */
import type { ApiArea, Incident } from '../scenario/incidents';
import type { SampleFunction, SampleProject } from '../scenario/projects';
import { weighted, type Picker, type Random } from '../random';
import type { Moment } from '../scenario/timeline';

export interface ApiCall {
  readonly area: ApiArea;
  readonly method: string;
  readonly path: string;
  /** Starts with `?`, or empty. */
  readonly search: string;
  readonly status: number;
  readonly durationMs: number;
  /** Answered by the edge from its cache, so that no service logs it. */
  readonly isCached: boolean;
  /** The incident that caused it to fail. */
  readonly cause: Incident | undefined;
  /** The called function, for the area `functions`. */
  readonly called?: SampleFunction;
  /**
   * Caller. `inside`: a health check that does not pass the edge; `attacker`: one of many attempts to guess a password.
   * @default a client
   */
  readonly caller?: 'scheduler' | 'inside' | 'attacker';
}

interface Target {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly called?: SampleFunction;
}

interface Shape {
  readonly area: ApiArea;
  readonly medianMs: number;
  readonly describe: (project: SampleProject, random: Random) => Target;
}

const pickReadOrWrite = weighted([
  ['GET', 74],
  ['POST', 12],
  ['PATCH', 8],
  ['DELETE', 2],
  ['HEAD', 2],
  ['OPTIONS', 2],
]);

const pickFilter = weighted<(random: Random) => string>([
  [() => '?select=*', 30],
  [() => '?select=id,name,updated_at&order=updated_at.desc&limit=50', 25],
  [(random) => `?select=*&id=eq.${1 + random.below(5000)}`, 30],
  [(random) => `?select=*&offset=${random.below(40) * 25}&limit=25`, 15],
]);

const pickAuthCall: Picker<readonly [string, string, string]> = weighted<readonly [string, string, string]>([
  [['POST', '/auth/v1/token', '?grant_type=refresh_token'], 46],
  [['GET', '/auth/v1/user', ''], 30],
  [['POST', '/auth/v1/token', '?grant_type=password'], 12],
  [['POST', '/auth/v1/signup', ''], 4],
  [['POST', '/auth/v1/otp', ''], 4],
  [['POST', '/auth/v1/logout', ''], 4],
]);

const PROBED_PATHS = [
  '/',
  '/robots.txt',
  '/favicon.ico',
  '/wp-login.php',
  '/.env',
  '/.git/config',
  '/admin',
  '/xmlrpc.php',
];

const MEDIAN_MS = { rest: 24, auth: 48, storage: 60, realtime: 9, functions: 140, other: 4 } as const;

const pickShape: Picker<Shape> = weighted<Shape>([
  [{ area: 'rest', medianMs: MEDIAN_MS.rest, describe: restCall }, 52],
  [{ area: 'auth', medianMs: MEDIAN_MS.auth, describe: authCall }, 17],
  [{ area: 'storage', medianMs: MEDIAN_MS.storage, describe: storageCall }, 15],
  [{ area: 'realtime', medianMs: MEDIAN_MS.realtime, describe: realtimeCall }, 7],
  [{ area: 'functions', medianMs: MEDIAN_MS.functions, describe: functionCall }, 6],
  [{ area: 'other', medianMs: MEDIAN_MS.other, describe: probe }, 3],
]);

/** Creates a call. During an incident failures are more frequent and durations longer. */
export function makeApiCall(moment: Moment, random: Random): ApiCall {
  const { project, incident } = moment;
  if (incident?.kind === 'auth' && random.chance(1 - 1 / incident.traffic)) return guessedPassword(random);
  const { area, medianMs, describe } = pickShape(random);
  const target = describe(project, random);
  const isCached = area === 'storage' && target.method === 'GET' && random.chance(0.6);
  return answered(
    { area, target, medianMs, isCached, usual: usualStatus(area, target.method, random) },
    moment,
    random
  );
}

/** Creates a scheduled call: a function through the edge, or a health check of a service from inside. */
export function makeScheduledCall(area: 'auth' | 'storage' | 'functions', moment: Moment, random: Random): ApiCall {
  const called = random.pick(moment.project.functions);
  const targets: Record<typeof area, Target> = {
    auth: { method: 'GET', path: '/auth/v1/health', search: '' },
    storage: { method: 'GET', path: '/storage/v1/status', search: '' },
    functions: { method: 'POST', path: `/functions/v1/${called.name}`, search: '', called },
  };
  const call = { area, target: targets[area], medianMs: MEDIAN_MS[area], isCached: false, usual: 200 };
  return { ...answered(call, moment, random), caller: area === 'functions' ? 'scheduler' : 'inside' };
}

function answered(
  call: { area: ApiArea; target: Target; medianMs: number; isCached: boolean; usual: number },
  { project, incident }: Moment,
  random: Random
): ApiCall {
  const { area, target, medianMs, isCached, usual } = call;
  // Only the newest version of one function throws, not all functions.
  const isSpared = incident?.kind === 'functions' && target.called !== project.functions[0];
  const isHit = incident !== undefined && !isCached && !isSpared;
  const cause = isHit && random.chance(incident.failures[area] ?? 0) ? incident : undefined;
  const slowness = isHit ? (incident.slowness[area] ?? 1) : 1;
  return {
    area,
    ...target,
    status: cause ? failureStatus(cause, area, random) : usual,
    durationMs: Math.max(1, random.skewed(isCached ? 3 : medianMs * slowness)),
    isCached,
    cause,
  };
}

function guessedPassword(random: Random): ApiCall {
  return {
    area: 'auth',
    method: 'POST',
    path: '/auth/v1/token',
    search: '?grant_type=password',
    status: random.chance(0.78) ? 400 : random.chance(0.9) ? 429 : 200,
    durationMs: random.skewed(80),
    isCached: false,
    cause: undefined,
    caller: 'attacker',
  };
}

const pickTimeout = weighted([
  [504, 45],
  [500, 35],
  [503, 20],
]);

function failureStatus({ kind }: Incident, area: ApiArea, random: Random): number {
  if (kind === 'pooler') return area === 'rest' && random.chance(0.8) ? 503 : 500;
  if (kind === 'functions') return random.chance(0.85) ? 500 : 502;
  if (kind === 'storage') return random.chance(0.5) ? 500 : 503;
  return pickTimeout(random);
}

const pickRareStatus = weighted([
  [400, 22],
  [401, 26],
  [403, 12],
  [404, 18],
  [406, 4],
  [409, 6],
  [429, 6],
  [500, 5],
  [544, 1],
]);

function usualStatus(area: ApiArea, method: string, random: Random): number {
  if (area === 'other') return random.chance(0.1) ? 200 : 404;
  if (random.chance(0.045)) return pickRareStatus(random);
  if (area === 'realtime') return 101;
  if (area === 'rest' && method === 'POST') return 201;
  if (area === 'rest' && (method === 'PATCH' || method === 'DELETE')) return 204;
  if (area === 'storage' && method === 'GET' && random.chance(0.25)) return 304;
  if (area === 'rest' && method === 'GET' && random.chance(0.08)) return 206;
  return 200;
}

function restCall(project: SampleProject, random: Random): Target {
  const method = pickReadOrWrite(random);
  if (random.chance(0.08))
    return { method: 'POST', path: `/rest/v1/rpc/search_${random.pick(project.tables)}`, search: '' };
  return {
    method,
    path: `/rest/v1/${random.pick(project.tables)}`,
    search: method === 'POST' ? '' : pickFilter(random)(random),
  };
}

function authCall(_project: SampleProject, random: Random): Target {
  const [method, path, search] = pickAuthCall(random);
  return { method, path, search };
}

function storageCall(project: SampleProject, random: Random): Target {
  const bucket = random.pick(project.buckets);
  const file = `${bucket.slice(0, 3)}-${1 + random.below(900)}.${random.chance(0.7) ? 'jpg' : 'pdf'}`;
  if (random.chance(0.1)) return { method: 'POST', path: `/storage/v1/object/${bucket}/${file}`, search: '' };
  if (random.chance(0.1)) return { method: 'POST', path: `/storage/v1/object/list/${bucket}`, search: '' };
  return {
    method: 'GET',
    path: `/storage/v1/object/public/${bucket}/${file}`,
    search: random.chance(0.3) ? '?width=640' : '',
  };
}

function realtimeCall(): Target {
  return { method: 'GET', path: '/realtime/v1/websocket', search: '?vsn=1.0.0' };
}

function functionCall(project: SampleProject, random: Random): Target {
  const called = random.pick(project.functions);
  return { method: 'POST', path: `/functions/v1/${called.name}`, search: '', called };
}

function probe(_project: SampleProject, random: Random): Target {
  return { method: 'GET', path: random.pick(PROBED_PATHS), search: '' };
}
