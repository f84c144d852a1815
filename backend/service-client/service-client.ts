/** API of the service, the only file that knows its paths and the headers of its responses. */
import type { Dispatcher } from 'undici';
import type { DescribedColumn, DescribedTable, ValidateResult } from '#contract/queries/description';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { RevisionSummary, TokenAccess } from '#contract/plugin/saving';
import { isRecord } from '#contract/records';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { ClientSettings } from './client-settings';
import { type CallContext, HttpClient, type HttpRequest, type HttpResponse } from './http-client';
import { PluginError } from './failures/plugin-error';

export type { CallContext } from './http-client';

export interface QueryCall {
  /** Id or name of the saved query. */
  readonly endpoint: string;
  readonly params: Readonly<Record<string, string>>;
  readonly adhoc: { readonly language: 'sql' | 'lql'; readonly text: string } | null;
  readonly redact: boolean;
  /** Asks the service to leave the result out of its cache. @default false */
  readonly noStore?: boolean;
}

export interface QueryAnswer {
  /** An Arrow IPC stream. */
  readonly arrow: Uint8Array;
  readonly truncated: boolean;
  readonly redacted: boolean;
  readonly revision: string | undefined;
  readonly cacheStatus: string | undefined;
  /** Age of the rows in seconds. */
  readonly age: number | undefined;
  readonly ignoredParameters: string | undefined;
  readonly requestId: string | undefined;
  /** Time of the response by the clock of the service, in whole seconds. */
  readonly dateMs: number | undefined;
}

export interface EndpointDescription {
  readonly endpoint: SavedQuery;
  readonly fields: readonly DescribedColumn[];
  readonly tables: readonly DescribedTable[];
}

/** Fields of a definition; the service checks them. */
export type DefinitionBody = Readonly<Record<string, unknown>> & { readonly name?: string };

export interface DefinitionChange {
  readonly definition: DefinitionBody;
  /** Note in the history. */
  readonly message: string;
}

const ARROW = 'application/vnd.apache.arrow.stream';
const REDACTED = { 'svc-endpoint-redact-pii': 'true' } as const;
const NO_STORE = { 'cache-control': 'no-store' } as const;
/** Saved queries of one request of the list. */
const PAGE = 100;
const MAX_PAGES = 50;

/** Every method throws a PluginError when the service or the connection fails. */
export class ServiceClient {
  private readonly http: HttpClient;

  constructor(settings: ClientSettings, dispatcher: Dispatcher) {
    this.http = new HttpClient(settings, dispatcher);
  }

  async query({ endpoint, params, adhoc, redact, noStore = false }: QueryCall, ctx: CallContext): Promise<QueryAnswer> {
    const response = await this.http.send(
      {
        method: 'POST',
        path: `/api/endpoints/query/${pathSegment(endpoint)}`,
        accept: ARROW,
        headers: { ...(redact && REDACTED), ...(noStore && NO_STORE) },
        body: JSON.stringify({ params, ...(adhoc ? { [adhoc.language]: adhoc.text } : {}) }),
        endpoint,
      },
      ctx
    );
    if (!response.header('content-type')?.startsWith(ARROW)) throw this.http.notTheService();
    return queryAnswer(response);
  }

  /** @returns all pages, at most 5,000 saved queries */
  async listEndpoints(ctx: CallContext): Promise<readonly EndpointSummary[]> {
    const endpoints: EndpointSummary[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const path = `/api/endpoints?limit=${PAGE}${afterCursor(cursor)}`;
      const page: Page<EndpointSummary> = await this.readPage({ method: 'GET', path }, isSummary, ctx);
      endpoints.push(...page.items);
      cursor = page.next;
      if (cursor === null) break;
    }
    return endpoints;
  }

  async readEndpoint(endpoint: string, ctx: CallContext): Promise<EndpointDescription> {
    const path = `/api/endpoints/${pathSegment(endpoint)}`;
    const result = await this.readResult({ method: 'GET', path, endpoint }, isDescription, ctx);
    const { fields, tables, ...definition } = result;
    return { endpoint: definition, fields, tables };
  }

  async validate({ endpoint, params, adhoc }: Omit<QueryCall, 'redact'>, ctx: CallContext): Promise<ValidateResult> {
    if (!adhoc) throw new Error('There is no text to validate.');
    const request = { endpoint, parameters: params, [adhoc.language]: adhoc.text };
    return this.readResult(
      { method: 'POST', path: '/api/endpoints/validate', body: JSON.stringify(request), endpoint },
      isValidation,
      ctx
    );
  }

  /** @throws PluginError with the position of the error in the query */
  async validateDefinition(definition: DefinitionBody, ctx: CallContext): Promise<ValidateResult> {
    return this.readResult(
      {
        method: 'POST',
        path: '/api/endpoints/validate',
        body: JSON.stringify({ definition: { id: NO_ID, ...definition } }),
      },
      isValidation,
      ctx
    );
  }

  /** What the token may do. */
  async access(ctx: CallContext): Promise<TokenAccess> {
    return this.readResult({ method: 'GET', path: '/api/token' }, isAccess, ctx);
  }

  /** @param idempotencyKey makes it safe to send the request again */
  async create(change: DefinitionChange & { readonly idempotencyKey: string }, ctx: CallContext): Promise<SavedQuery> {
    const { definition, message, idempotencyKey } = change;
    return this.change(
      {
        method: 'POST',
        path: '/api/endpoints',
        headers: { 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ definition, message }),
        endpoint: definition.name,
      },
      ctx
    );
  }

  /** Replaces the definition, or with PATCH the named fields of it. @throws PluginError `revision_conflict` */
  async replace(
    method: 'PUT' | 'PATCH',
    endpoint: string,
    { definition, message, revision }: DefinitionChange & { readonly revision: number },
    ctx: CallContext
  ): Promise<SavedQuery> {
    return this.change(
      {
        method,
        path: `/api/endpoints/${pathSegment(endpoint)}`,
        headers: { 'if-match': `"${revision}"` },
        body: JSON.stringify({ definition, message }),
        endpoint,
        isChange: true,
      },
      ctx
    );
  }

  /** Newest first. */
  async revisions(
    endpoint: string,
    { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
    ctx: CallContext
  ): Promise<{ readonly revisions: readonly RevisionSummary[]; readonly next: string | null }> {
    const path = `/api/endpoints/${pathSegment(endpoint)}/revisions?limit=${limit}${afterCursor(cursor)}`;
    const { items, next } = await this.readPage({ method: 'GET', path, endpoint }, isRevision, ctx);
    return { revisions: items, next };
  }

  /** Returns the version of the service. */
  async version(ctx: CallContext): Promise<string> {
    const body = await this.http.sendJson({ method: 'GET', path: '/api/openapi.json' }, ctx);
    const version = isRecord(body['info']) ? body['info']['version'] : undefined;
    if (typeof version !== 'string') throw this.http.notTheService();
    return version;
  }

  /** Checks that the token may run queries, without running one. @throws PluginError `scope_missing` and others */
  async checkMayQuery(ctx: CallContext): Promise<void> {
    const path = `/api/endpoints/query/${ABSENT_ENDPOINT}`;
    try {
      await this.http.send({ method: 'GET', path, accept: 'application/json' }, ctx);
    } catch (error) {
      if (!(error instanceof PluginError) || error.code !== 'endpoint_not_found') throw error;
    }
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async change(request: JsonRequest, ctx: CallContext): Promise<SavedQuery> {
    return this.readResult(request, isSavedQuery, ctx);
  }

  private async readResult<T>(request: JsonRequest, isWanted: Guard<T>, ctx: CallContext): Promise<T> {
    const { result } = await this.http.sendJson(request, ctx);
    if (!isWanted(result)) throw this.http.notTheService();
    return result;
  }

  private async readPage<T>(request: JsonRequest, isItem: Guard<T>, ctx: CallContext): Promise<Page<T>> {
    const { result, next_cursor } = await this.http.sendJson(request, ctx);
    if (!Array.isArray(result) || !result.every(isItem)) throw this.http.notTheService();
    return { items: result, next: typeof next_cursor === 'string' ? next_cursor : null };
  }
}

type JsonRequest = Omit<HttpRequest, 'accept'>;

interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next page. */
  readonly next: string | null;
}

/**
 * Tells a response of the service from that of any other web server. The fields that are not read here are the
 * service's to keep: a newer one may have more.
 */
type Guard<T> = (value: unknown) => value is T;

type Described = SavedQuery & Omit<EndpointDescription, 'endpoint'>;

const isSummary = (value: unknown): value is EndpointSummary => isRecord(value);
const isRevision = (value: unknown): value is RevisionSummary => isRecord(value);
const isValidation = (value: unknown): value is ValidateResult => isRecord(value);
const isDescription = (value: unknown): value is Described => isRecord(value) && Array.isArray(value['tables']);
const isAccess = (value: unknown): value is TokenAccess => isRecord(value) && Array.isArray(value['scopes']);
const isSavedQuery = (value: unknown): value is SavedQuery => isRecord(value) && typeof value['id'] === 'string';

/** The service checks scopes before names: a name that cannot exist tests the scope without running a query. */
const ABSENT_ENDPOINT = '0';

function afterCursor(cursor: string | null): string {
  return cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
}

/** Replaces the id that a definition does not have yet while it is checked. */
const NO_ID = '00000000-0000-4000-8000-000000000000';

/** Segments of dots only would change the route, because HTTP clients resolve them. */
function pathSegment(endpoint: string): string {
  if (/^\.{1,2}$/.test(endpoint))
    throw new PluginError('endpoint_not_found', `The service has no endpoint "${endpoint}".`, { status: 404 });
  return encodeURIComponent(endpoint);
}

function queryAnswer({ header, bytes }: HttpResponse): QueryAnswer {
  const age = header('age');
  return {
    arrow: bytes,
    truncated: header('svc-endpoint-truncated') === 'true',
    redacted: header('svc-endpoint-redacted') === 'true',
    revision: header('svc-endpoint-revision'),
    cacheStatus: header('cache-status'),
    age: age === undefined ? undefined : Number(age),
    ignoredParameters: header('svc-endpoint-ignored-parameters'),
    requestId: header('x-request-id'),
    dateMs: Date.parse(header('date') ?? '') || undefined,
  };
}
