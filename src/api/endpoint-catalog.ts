/**
 * Cache of the service's metadata for the editors: endpoints, their tables, the functions of the dialect, and the check
 * of a text. Responses about endpoints are cached for a minute, because editors render often; failures are not cached.
 */
import type {
  EndpointResource,
  EndpointSummary,
  EndpointsResource,
  FunctionsResource,
  ValidateRequest,
  ValidateResource,
} from '#contract/plugin/resources';

const KEPT_MS = 60_000;

/** The two methods of Grafana's data source class that call the backend's resources. */
export interface ResourceCalls {
  getResource(path: string): Promise<unknown>;
  postResource(path: string, body: unknown): Promise<unknown>;
}

export type SqlFunction = FunctionsResource['functions'][number];

export class EndpointCatalog {
  private lastKnown: readonly EndpointSummary[] = [];
  private readonly knownDetails = new Map<string, EndpointResource>();
  private readonly kept = new Map<string, { readonly answer: Promise<unknown>; readonly untilMs: number }>();

  constructor(
    private readonly calls: ResourceCalls,
    private readonly nowMs: () => number = Date.now
  ) {}

  /** Endpoints of the last response, for callers that cannot wait. */
  get known(): readonly EndpointSummary[] {
    return this.lastKnown;
  }

  async endpoints(): Promise<readonly EndpointSummary[]> {
    this.lastKnown = (await this.keep<EndpointsResource>('endpoints')).endpoints;
    return this.lastKnown;
  }

  /** A saved query with its output columns and sandbox tables. */
  async endpoint(idOrName: string): Promise<EndpointResource> {
    const detail = await this.keep<EndpointResource>(`endpoints/${encodeURIComponent(idOrName)}`);
    this.knownDetails.set(idOrName, detail);
    return detail;
  }

  /** The last response, for callers that cannot wait. */
  knownDetail(idOrName: string): EndpointResource | undefined {
    return this.knownDetails.get(idOrName);
  }

  async functions(): Promise<readonly SqlFunction[]> {
    return (await this.keep<FunctionsResource>('functions')).functions;
  }

  validate(request: ValidateRequest): Promise<ValidateResource> {
    return this.calls.postResource('validate', request) as Promise<ValidateResource>;
  }

  /** Clears the cache. */
  forget(): void {
    this.kept.clear();
  }

  private keep<T>(path: string): Promise<T> {
    const known = this.kept.get(path);
    if (known && known.untilMs > this.nowMs()) return known.answer as Promise<T>;
    const answer = this.calls.getResource(path);
    this.kept.set(path, { answer, untilMs: this.nowMs() + KEPT_MS });
    answer.catch(() => {
      if (this.kept.get(path)?.answer === answer) this.kept.delete(path);
    });
    return answer as Promise<T>;
  }
}
