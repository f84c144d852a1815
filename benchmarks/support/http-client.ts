/**
 * One connection that is kept open, as a dashboard or a shipper keeps it. Times run from the call to the last byte of
 * the answer.
 */
import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly durationMs: number;
}

export interface HttpClient {
  /** @param options.fromCache takes what is in the cache; else each call is a run. */
  get(path: string, options?: { readonly fromCache?: boolean }): Promise<Answer>;
  /** @param accept the server's default when it is left out */
  post(path: string, body: Uint8Array, contentType: string, accept?: string): Promise<Answer>;
  close(): void;
}

export function createHttpClient(baseUrl: string, token: string): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, noDelay: true });

  function send(method: string, path: string, headers: Record<string, string>, body?: Uint8Array): Promise<Answer> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, baseUrl), { method, agent, headers: { 'X-API-KEY': token, ...headers } });
      call.once('error', reject);
      call.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
            durationMs: performance.now() - startedAt,
          })
        );
      });
      call.end(body);
    });
  }

  return {
    // The token may bypass the cache.
    get: (path, { fromCache = false } = {}) => send('GET', path, fromCache ? {} : { 'Cache-Control': 'no-cache' }),
    post: (path, body, contentType, accept) => {
      const headers = { 'Content-Type': contentType, 'Content-Length': String(body.byteLength) };
      return send('POST', path, accept === undefined ? headers : { ...headers, Accept: accept }, body);
    },
    close: () => agent.destroy(),
  };
}
