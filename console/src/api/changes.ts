/** Checks, previews and changes of saved queries. */
import type { ErrorDetails, Position } from '#contract/errors';
import type { ApiClient } from './client';
import { noteHeader } from './note-header';
import { Problem } from './problem';
import { readResult, type RunResult } from './run-query';
import type { Author, DescribedQuery, Validated } from './shapes';

const pathOf = (name: string): string => `/api/endpoints/${encodeURIComponent(name)}`;

/** A problem of a definition: at a field, in the text of the query, or in the whole text. */
export interface DefinitionProblem {
  readonly message: string;
  /** Null: the check was of a text. */
  readonly path: ReadonlyArray<string | number> | null;
  readonly inQuery: Position | null;
  readonly inText: Position | null;
}

export type Checked =
  | { readonly problems: readonly DefinitionProblem[]; readonly result: null }
  | { readonly problems: readonly []; readonly result: Validated };

/** Id of a definition that is not stored. */
const ANY_ID = '00000000-0000-4000-8000-000000000000';

/** @throws Problem when the service cannot say */
export async function checkDefinition(
  api: ApiClient,
  given: { readonly definition: object } | { readonly yaml: string },
  signal: AbortSignal
): Promise<Checked> {
  const body = 'yaml' in given ? given : { definition: { ...given.definition, id: ANY_ID } };
  try {
    const result = await api.result<Validated>('/api/endpoints/validate', { method: 'POST', body, signal });
    return { problems: [], result };
  } catch (error) {
    const problems = error instanceof Problem ? problemsIn(error) : null;
    if (problems === null) throw error;
    return { problems, result: null };
  }
}

interface ListedProblem {
  readonly path?: ReadonlyArray<string | number>;
  readonly position?: Position;
  readonly reason: string;
}

/** What a refusal says about the definition; null: it is of another kind. */
export function problemsIn({ status, message, details }: Problem): readonly DefinitionProblem[] | null {
  if (status !== 400 && status !== 422) return null;
  const { problems } = details;
  if (Array.isArray(problems))
    return (problems as readonly ListedProblem[]).map(({ path, position, reason }) => ({
      message: formatReason(reason),
      path: path ?? null,
      inQuery: null,
      inText: position ?? null,
    }));
  return [
    {
      message: withHint(message, details),
      path: ['query'],
      inQuery: details.position ?? null,
      inText: textPosition(details),
    },
  ];
}

/** The path is shown apart. */
function formatReason(reason: string): string {
  return reason.replace(/^[\w[\].]+: /, '');
}

function withHint(message: string, { hint }: ErrorDetails): string {
  return hint === undefined ? message : `${message} Hint: ${hint}.`;
}

function textPosition(details: ErrorDetails): Position | null {
  return (details['text_position'] as Position | undefined) ?? null;
}

/** @throws Problem */
export async function previewDefinition(
  api: ApiClient,
  given: { readonly definition: object } | { readonly yaml: string },
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal
): Promise<RunResult> {
  const headers = { 'SVC-ENDPOINT-META': 'true' };
  const body = { ...given, parameters };
  return readResult(await api.send('/api/endpoints/preview', { method: 'POST', body, headers, signal }), signal);
}

export type SavedChange = DescribedQuery & { readonly change: { readonly by: Author } };

/** @param key the same for a request that is repeated */
export function createQuery(api: ApiClient, yaml: string, note: string, key: string): Promise<SavedChange> {
  const headers = { 'Idempotency-Key': key };
  return api.result<SavedChange>('/api/endpoints', { method: 'POST', body: bodyOf(yaml, note), headers });
}

/** @param revision that the change was made for. @throws Problem with status 412 when there is a newer one */
export function replaceQuery(
  api: ApiClient,
  { name, revision, yaml, note }: { name: string; revision: number; yaml: string; note: string }
): Promise<SavedChange> {
  const headers = { 'If-Match': `"${revision}"` };
  return api.result<SavedChange>(pathOf(name), { method: 'PUT', body: bodyOf(yaml, note), headers });
}

const bodyOf = (yaml: string, note: string): object => ({ yaml, ...(note.trim() !== '' && { message: note.trim() }) });

export async function deleteQuery(api: ApiClient, name: string, revision: number, note: string): Promise<void> {
  await api.send(pathOf(name), { method: 'DELETE', headers: { 'If-Match': `"${revision}"`, ...noteHeader(note) } });
}
