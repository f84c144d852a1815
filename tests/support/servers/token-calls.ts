/** Requests that manage tokens, to a service without its engine. */
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { type RawAnswer, send } from '../fakes/connection';
import { LOGS, type TestService, USAGE } from './in-memory';

/** `customer` of logs.all is a tenant. */
export const TOKEN_TEST_QUERIES: readonly SavedQuery[] = [
  USAGE,
  savedQuerySchema.parse({ ...LOGS, parameters: [{ name: 'customer', tenant: true }] }),
];

export interface TokenCalls {
  readonly create: (body: unknown, headers?: Headers) => Promise<RawAnswer>;
  readonly read: (id: string) => Promise<RawAnswer>;
  readonly list: (query?: string) => Promise<RawAnswer>;
  readonly change: (id: string, body: unknown, headers?: Headers) => Promise<RawAnswer>;
  readonly rotate: (id: string, body: unknown, headers?: Headers) => Promise<RawAnswer>;
  readonly revoke: (id: string, headers?: Headers) => Promise<RawAnswer>;
  readonly audit: (query?: string) => Promise<RawAnswer>;
}

type Headers = Readonly<Record<string, string>>;

export const idOf = (token: string): string => token.split('_')[1]!;

/** @param key access token of the requests. A body that is a text is sent as it is, another as JSON. */
export function tokenCalls({ server }: TestService, key: string): TokenCalls {
  const call = (method: string, target: string, body?: unknown, headers: Headers = {}): Promise<RawAnswer> =>
    send(server, target, {
      method,
      headers: {
        'X-API-KEY': key,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const at = (id: string): string => `/api/tokens/${encodeURIComponent(id)}`;
  return {
    create: (body, headers) => call('POST', '/api/tokens', body, headers),
    read: (id) => call('GET', at(id)),
    list: (query = '') => call('GET', `/api/tokens${query}`),
    change: (id, body, headers) => call('PATCH', at(id), body, headers),
    rotate: (id, body, headers) => call('POST', `${at(id)}/rotate`, body, headers),
    revoke: (id, headers) => call('DELETE', at(id), undefined, headers),
    audit: (query = '') => call('GET', `/api/audit${query}`),
  };
}
