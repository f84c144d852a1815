/**
 * What the editors know of the service: endpoints, their tables, the functions of the dialect, the check of a text. Answers about
 * endpoints are kept for a minute, so that an editor that is drawn often asks seldom; a failure is never kept.
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

/** The two calls of Grafana's data source class that reach the backend's resources. */
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

  /** The endpoints of the last answer, for questions that cannot wait for one. */
  get known(): readonly EndpointSummary[] {
    return this.lastKnown;
  }

  async endpoints(): Promise<readonly EndpointSummary[]> {
    this.lastKnown = (await this.keep<EndpointsResource>('endpoints')).endpoints;
    return this.lastKnown;
  }

  /** The saved query with its output columns and sandbox tables. */
  async endpoint(idOrName: string): Promise<EndpointResource> {
    const detail = await this.keep<EndpointResource>(`endpoints/${encodeURIComponent(idOrName)}`);
    this.knownDetails.set(idOrName, detail);
    return detail;
  }

  /** As last answered, for questions that cannot wait. */
  knownDetail(idOrName: string): EndpointResource | undefined {
    return this.knownDetails.get(idOrName);
  }

  async functions(): Promise<readonly SqlFunction[]> {
    return (await this.keep<FunctionsResource>('functions')).functions;
  }

  validate(request: ValidateRequest): Promise<ValidateResource> {
    return this.calls.postResource('validate', request) as Promise<ValidateResource>;
  }

  /** The next questions are asked afresh. */
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
