/** Sends the body of a recipe over connections of its own. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Recipe } from './recipe';

export interface HostileAnswer {
  /** 0: the sender gave up, or the connection ended, before an answer. */
  readonly status: number;
  readonly body: Buffer;
  readonly durationMs: number;
}

const ROUTES: Readonly<Record<Recipe['route'], readonly [path: string, type: string]>> = {
  logs: ['/api/logs', 'application/x-ndjson'],
  otlp: ['/v1/logs', 'application/x-protobuf'],
  'otlp-json': ['/v1/logs', 'application/json'],
  loki: ['/loki/api/v1/push', 'application/json'],
  'loki-protobuf': ['/loki/api/v1/push', 'application/x-protobuf'],
  bulk: ['/elasticsearch/_bulk', 'application/x-ndjson'],
  collector: ['/services/collector', 'application/json'],
  'collector-raw': ['/services/collector/raw', 'text/plain'],
  drain: ['/api/logs/vercel', 'application/json'],
  webhook: ['/api/logs/github', 'application/json'],
  syslogs: ['/api/logs/syslogs', 'text/plain'],
  mcp: ['/mcp', 'application/json'],
};
const LONGEST_ANSWER_MS = 90_000;

/** Resolves with one answer for each of the requests that are sent at once. */
export function sendRecipe(
  { url, token }: { readonly url: string; readonly token: string },
  recipe: Recipe,
  body: Buffer
): Promise<readonly HostileAnswer[]> {
  return Promise.all(Array.from({ length: recipe.at_once }, () => sendOnce(url, token, recipe, body)));
}

function sendOnce(url: string, token: string, recipe: Recipe, body: Buffer): Promise<HostileAnswer> {
  const [path, type] = ROUTES[recipe.route];
  const coding = recipe.content_encoding ?? (recipe.gzip > 0 ? 'gzip' : undefined);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const settled = new AbortController();
    const settle = (status: number, received: Buffer): void => {
      settled.abort();
      resolve({ status, body: received, durationMs: performance.now() - startedAt });
    };
    const target = recipe.route === 'mcp' ? path : `${path}?source=${recipe.source}&project=hostile`;
    const call = request(new URL(target, url), {
      method: 'POST',
      agent: false,
      headers: {
        'X-API-KEY': token,
        'Content-Type': type,
        'Content-Length': String(body.length),
        ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
      },
      signal: AbortSignal.timeout(recipe.pace?.give_up_ms ?? LONGEST_ANSWER_MS),
    });
    call.once('error', () => settle(0, Buffer.alloc(0)));
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => settle(0, Buffer.concat(chunks)));
      response.once('end', () => settle(response.statusCode ?? 0, Buffer.concat(chunks)));
    });
    if (recipe.pace === undefined) call.end(body);
    else void trickle(call, body, recipe.pace, settled.signal);
  });
}

async function trickle(
  call: ReturnType<typeof request>,
  body: Buffer,
  { bytes, every_ms }: NonNullable<Recipe['pace']>,
  signal: AbortSignal
): Promise<void> {
  for (let at = 0; at < body.length && !signal.aborted; at += bytes) {
    call.write(body.subarray(at, at + bytes));
    await sleep(every_ms, undefined, { signal }).catch(() => undefined);
  }
  if (!signal.aborted) call.end();
}
