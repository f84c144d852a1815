/** Requests about access tokens. */
import type { ApiClient } from '../../api/client';
import { readAllPages } from '../../api/read-all-pages';
import type { DescribedIssue, DescribedToken } from '../../api/shapes';

const TOKENS = '/api/tokens';
const pathOf = (id: string): string => `${TOKENS}/${encodeURIComponent(id)}`;

/**
 * All tokens, newest first.
 * @param onProgress number of tokens so far
 */
export async function readTokens(
  api: ApiClient,
  signal: AbortSignal,
  onProgress: (count: number) => void
): Promise<readonly DescribedToken[]> {
  return [...(await readAllPages<DescribedToken>(api, TOKENS, signal, onProgress))].reverse();
}

export const readToken = (api: ApiClient, id: string, signal: AbortSignal): Promise<DescribedToken> =>
  api.result<DescribedToken>(pathOf(id), { signal });

const noteOf = (note: string): object => (note.trim() === '' ? {} : { message: note.trim() });

/** @param key the same for a request that is repeated: it gets the same text */
export function createToken(api: ApiClient, policy: object, note: string, key: string): Promise<DescribedIssue> {
  const headers = { 'Idempotency-Key': key };
  return api.result<DescribedIssue>(TOKENS, { method: 'POST', body: { ...policy, ...noteOf(note) }, headers });
}

export function changeToken(api: ApiClient, id: string, patch: object, note: string): Promise<DescribedToken> {
  return api.result<DescribedToken>(pathOf(id), { method: 'PATCH', body: { token: patch, ...noteOf(note) } });
}

/** @param graceSeconds how long the old text stays valid */
export function rotateToken(api: ApiClient, id: string, graceSeconds: number, key: string): Promise<DescribedIssue> {
  const headers = { 'Idempotency-Key': key };
  return api.result<DescribedIssue>(`${pathOf(id)}/rotate`, {
    method: 'POST',
    body: { grace_seconds: graceSeconds },
    headers,
  });
}

export async function revokeToken(api: ApiClient, id: string): Promise<void> {
  await api.send(pathOf(id), { method: 'DELETE' });
}
