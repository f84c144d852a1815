/** Reads, creates, changes and deletes sources. */
import type { Source } from '#contract/events/source';
import type { ApiClient } from './client';
import { noteHeader } from './note-header';
import type { Problem } from './problem';
import type { Author, ListedSource } from './shapes';

/** `GET /api/sources/{s}` */
export type DescribedSource = Source & {
  readonly origin: 'file' | 'api';
  /** Null: a file has it. */
  readonly revision: number | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly change?: {
    readonly by: Author;
    readonly message: string | null;
    readonly changed: readonly string[];
  };
  readonly yaml?: string | null;
};

export const listSources = (api: ApiClient, signal: AbortSignal): Promise<readonly ListedSource[]> =>
  api.result<readonly ListedSource[]>('/api/sources', { signal });

const pathOf = (name: string): string => `/api/sources/${encodeURIComponent(name)}`;

export const readSource = (api: ApiClient, name: string, signal?: AbortSignal): Promise<DescribedSource> =>
  api.result<DescribedSource>(pathOf(name), signal && { signal });

/** @param key the same for a request that is repeated */
export function createSource(api: ApiClient, definition: object, note: string, key: string): Promise<DescribedSource> {
  const headers = { 'Idempotency-Key': key };
  return api.result<DescribedSource>('/api/sources', { method: 'POST', body: bodyOf(definition, note), headers });
}

/**
 * @param patch merge patch [RFC 7396] of the definition
 * @param revision that the change was made for
 * @throws Problem `revision_conflict` when there is a newer one
 */
export function patchSource(
  api: ApiClient,
  { name, revision, patch, note }: { name: string; revision: number; patch: object; note: string }
): Promise<DescribedSource> {
  const headers = { 'If-Match': `"${revision}"` };
  return api.result<DescribedSource>(pathOf(name), { method: 'PATCH', body: bodyOf(patch, note), headers });
}

const bodyOf = (definition: object, note: string): object => ({
  definition,
  ...(note.trim() !== '' && { message: note.trim() }),
});

/** @param deletesEvents whether its stored events are deleted, too */
export async function deleteSource(
  api: ApiClient,
  { name, revision, deletesEvents, note }: { name: string; revision: number; deletesEvents: boolean; note: string }
): Promise<void> {
  const headers = { 'If-Match': `"${revision}"`, ...noteHeader(note) };
  await api.send(`${pathOf(name)}?events=${deletesEvents ? 'delete' : 'keep'}`, { method: 'DELETE', headers });
}

/** Names of the saved queries because of which a change was refused. */
export function readersIn({ code, details }: Problem): readonly string[] {
  const { endpoints } = details as { readonly endpoints?: unknown };
  return code === 'source_in_use' && Array.isArray(endpoints) ? endpoints.map(String) : [];
}
