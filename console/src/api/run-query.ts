/** Runs saved queries and ad-hoc texts in their sandbox. */
import type { ResultField } from '#contract/queries/result';
import { type ApiClient, whole } from './client';

export type Language = 'sql' | 'lql';

/** A text for the sandbox. */
export interface Adhoc {
  readonly language: Language;
  readonly text: string;
}

export interface RunRequest {
  readonly query: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Null: the text of the saved query itself. */
  readonly adhoc: Adhoc | null;
  /** Runs although a result is cached. */
  readonly isFresh?: boolean;
}

export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
export type Row = Readonly<Record<string, Value>>;

export interface RunResult {
  readonly columns: readonly ResultField[];
  readonly rows: readonly Row[];
  /** The row cap or the byte cap of the saved query or of the token cut the result. */
  readonly isCut: boolean;
  readonly isRedacted: boolean;
  readonly revision: number;
  readonly elapsedMs: number;
  /** Seconds since the run; null: it ran for this call. */
  readonly cachedSeconds: number | null;
  /** With one that names the parameters that were ignored. */
  readonly warnings: ReadonlyArray<{ readonly message: string }>;
  /** Stages of the run with their milliseconds, as `Server-Timing` says. */
  readonly stages: ReadonlyArray<{ readonly name: string; readonly ms: number }>;
}

interface Answer {
  readonly result: readonly Row[];
  readonly meta: {
    readonly columns: readonly ResultField[];
    readonly truncated: boolean;
    readonly redacted: boolean;
    readonly revision: number;
    readonly elapsed_ms: number;
    readonly cache: { readonly status: string; readonly age?: number };
    readonly warnings?: ReadonlyArray<{ readonly message: string }>;
  };
}

const CALL = '/api/endpoints/query/';

/** Formats of a download, by their name in `Accept`. */
export const DOWNLOADS = [
  { label: 'CSV', accept: 'text/csv', extension: 'csv' },
  { label: 'NDJSON', accept: 'application/x-ndjson', extension: 'ndjson' },
  { label: 'Arrow', accept: 'application/vnd.apache.arrow.stream', extension: 'arrows' },
] as const;
export type Download = (typeof DOWNLOADS)[number];

/** @throws Problem */
export async function runQuery(api: ApiClient, request: RunRequest, signal: AbortSignal): Promise<RunResult> {
  return readResult(await sendQuery(api, request, { 'SVC-ENDPOINT-META': 'true' }, signal), signal);
}

/** @param response of a call with `SVC-ENDPOINT-META: true`. @throws Problem when it was cut off */
export async function readResult(response: Response, signal?: AbortSignal): Promise<RunResult> {
  const stages = readStages(response.headers.get('Server-Timing') ?? '');
  const ignored = response.headers.get('SVC-ENDPOINT-IGNORED-PARAMETERS');
  const { result, meta } = await whole(response.json() as Promise<Answer>, signal);
  return {
    columns: meta.columns,
    rows: result,
    isCut: meta.truncated,
    isRedacted: meta.redacted,
    revision: meta.revision,
    elapsedMs: meta.elapsed_ms,
    cachedSeconds: meta.cache.status === 'hit' ? (meta.cache.age ?? 0) : null,
    warnings: [
      ...(ignored === null ? [] : [{ message: `The saved query does not declare the parameters ${ignored}.` }]),
      ...(meta.warnings ?? []),
    ],
    stages,
  };
}

/** The result in another format. @throws Problem */
export async function downloadResult(api: ApiClient, request: RunRequest, { accept }: Download): Promise<Blob> {
  return whole((await sendQuery(api, request, { Accept: accept })).blob());
}

/** @throws Problem */
export function sendQuery(
  api: ApiClient,
  { query, parameters, adhoc, isFresh = false }: RunRequest,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal
): Promise<Response> {
  return api.send(`${CALL}${encodeURIComponent(query)}`, {
    method: 'POST',
    body: { params: parameters, ...(adhoc && { [adhoc.language]: adhoc.text }) },
    headers: { ...headers, ...(isFresh && { 'Cache-Control': 'no-cache' }) },
    ...(signal && { signal }),
  });
}

/** Address of the same call as a GET, without the token. */
export function callUrl({ query, parameters, adhoc }: RunRequest): string {
  const search = new URLSearchParams({ ...parameters, ...(adhoc && { [adhoc.language]: adhoc.text }) }).toString();
  return `${window.location.origin}${CALL}${encodeURIComponent(query)}${search === '' ? '' : `?${search}`}`;
}

function readStages(header: string): RunResult['stages'] {
  return [...header.matchAll(/\b(\w+);dur=([\d.]+)/g)].map(([, name, ms]) => ({ name: name ?? '', ms: Number(ms) }));
}
