/** Histories of saved queries and sources: revisions, and their restoration. */
import type { ApiClient } from './client';
import type { Page, Revision, RevisionText } from './shapes';

/** First part of the routes. */
export type Kept = 'endpoints' | 'sources';

const pathOf = (kept: Kept, name: string): string => `/api/${kept}/${encodeURIComponent(name)}/revisions`;

/** @param cursor null: the newest ones */
export async function readRevisions(
  api: ApiClient,
  { kept, name, cursor }: { readonly kept: Kept; readonly name: string; readonly cursor: string | null },
  signal?: AbortSignal
): Promise<Page<Revision>> {
  const search = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return (await api.json(`${pathOf(kept, name)}?limit=100${search}`, signal && { signal })) as Page<Revision>;
}

export function readRevision(
  api: ApiClient,
  { kept, name, revision }: { readonly kept: Kept; readonly name: string; readonly revision: number },
  signal?: AbortSignal
): Promise<RevisionText> {
  return api.result<RevisionText>(`${pathOf(kept, name)}/${revision}`, signal && { signal });
}

/** @param newest revision that the person has seen. @throws Problem `revision_conflict` when there is a newer one */
export function restoreRevision(
  api: ApiClient,
  {
    kept,
    name,
    revision,
    newest,
    note,
  }: {
    readonly kept: Kept;
    readonly name: string;
    readonly revision: number;
    readonly newest: number;
    readonly note: string;
  }
): Promise<{ readonly name: string }> {
  return api.result<{ readonly name: string }>(`${pathOf(kept, name)}/${revision}/restore`, {
    method: 'POST',
    body: note.trim() === '' ? {} : { message: note.trim() },
    headers: { 'If-Match': `"${newest}"` },
  });
}
