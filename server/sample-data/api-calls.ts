/** The calls that clients make to a project's HTTP interface: which area, which path, which answer. */
import type { ApiArea } from './incidents';
import type { SampleProject } from './projects';
import { weighted, type Picker, type Random } from './random';
import type { Moment } from './timeline';

export interface ApiCall {
  readonly area: ApiArea;
  readonly method: string;
  readonly path: string;
  /** Starts with `?`, or empty. */
  readonly search: string;
  readonly status: number;
  readonly durationMs: number;
}

interface Shape {
  readonly area: ApiArea;
  readonly medianMs: number;
  readonly describe: (project: SampleProject, random: Random) => { method: string; path: string; search: string };
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

const pickShape: Picker<Shape> = weighted<Shape>([
  [{ area: 'rest', medianMs: 24, describe: restCall }, 52],
  [{ area: 'auth', medianMs: 48, describe: authCall }, 17],
  [{ area: 'storage', medianMs: 60, describe: storageCall }, 15],
  [{ area: 'realtime', medianMs: 9, describe: realtimeCall }, 7],
  [{ area: 'functions', medianMs: 140, describe: functionCall }, 6],
  [{ area: 'other', medianMs: 4, describe: probe }, 3],
]);

/** More failures and longer durations while an incident of the area goes on. */
export function makeApiCall({ project, incident }: Moment, random: Random): ApiCall {
  const shape = pickShape(random);
  const { method, path, search } = shape.describe(project, random);
  const isHit = incident?.area === shape.area;
  const status =
    isHit && random.chance(incident.failures) ? pickFailure(random) : usualStatus(shape.area, method, random);
  const slowness = isHit ? incident.slowness : 1;
  return {
    area: shape.area,
    method,
    path,
    search,
    status,
    durationMs: Math.max(1, random.skewed(shape.medianMs * slowness)),
  };
}

const pickFailure = weighted([
  [500, 40],
  [503, 30],
  [504, 20],
  [502, 10],
]);

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

function restCall(project: SampleProject, random: Random): ReturnType<Shape['describe']> {
  const method = pickReadOrWrite(random);
  if (random.chance(0.08))
    return { method: 'POST', path: `/rest/v1/rpc/search_${random.pick(project.tables)}`, search: '' };
  return {
    method,
    path: `/rest/v1/${random.pick(project.tables)}`,
    search: method === 'POST' ? '' : pickFilter(random)(random),
  };
}

function authCall(_project: SampleProject, random: Random): ReturnType<Shape['describe']> {
  const [method, path, search] = pickAuthCall(random);
  return { method, path, search };
}

function storageCall(project: SampleProject, random: Random): ReturnType<Shape['describe']> {
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

function realtimeCall(): ReturnType<Shape['describe']> {
  return { method: 'GET', path: '/realtime/v1/websocket', search: '?vsn=1.0.0' };
}

function functionCall(project: SampleProject, random: Random): ReturnType<Shape['describe']> {
  return { method: 'POST', path: `/functions/v1/${random.pick(project.functions).name}`, search: '' };
}

function probe(_project: SampleProject, random: Random): ReturnType<Shape['describe']> {
  return { method: 'GET', path: random.pick(PROBED_PATHS), search: '' };
}
