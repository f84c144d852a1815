/** Requests to a server with one token, for tests of its management routes. */
import { PROCESS_TOKEN } from './spawned';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed JSON; null for an empty body. */
  readonly body: ApiBody;
}

/** The parts of bodies that tests read. */
export interface ApiBody {
  readonly result: Record<string, unknown> & Record<string, unknown>[];
  readonly next_cursor: string | null;
  readonly error: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> };
}

export type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>
) => Promise<ApiAnswer>;

/** @param body an object is sent as JSON, a text as YAML, bytes as JSON that is written already */
export function apiOf(target: { readonly url: string }, token = PROCESS_TOKEN): Api {
  return async (method, path, body, headers = {}) => {
    const isText = typeof body === 'string';
    const isWritten = body instanceof Uint8Array;
    const answer = await fetch(`${target.url}/api${path}`, {
      method,
      headers: {
        'X-API-KEY': token,
        ...(body === undefined ? {} : { 'Content-Type': isText ? 'application/yaml' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText || isWritten ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: (isJson ? JSON.parse(text) : null) as ApiBody,
    };
  };
}

/**
 * @param fields of the new token, without its name
 * @returns requests with it
 */
export async function apiOfNewToken(target: { readonly url: string }, fields: object): Promise<Api> {
  const { body, status, text } = await apiOf(target)('POST', '/tokens', { name: 'other', ...fields });
  if (status !== 201) throw new Error(text);
  return apiOf(target, String(body.result.token));
}

/** What tests of sources do over and over. */
export interface SourceRequests {
  create(definition: object, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
  send(source: string, ...events: object[]): Promise<ApiBody>;
  /** Rows of a query that is not stored. */
  rows(query: string): Promise<unknown>;
}

/** @param api returns that of the server that runs now */
export function sourceRequests(api: () => Api): SourceRequests {
  return {
    create: (definition, headers) => api()('POST', '/sources', { definition }, headers),
    send: async (source, ...events) => (await api()('POST', `/logs?source=${source}`, events)).body,
    rows: async (query) =>
      (await api()('POST', '/endpoints/preview', { definition: { name: 'tried', query } })).body.result,
  };
}
