/** Calls of the backend that read and change saved queries of the service. Responses are not cached. */
import type {
  AccessResource,
  ComposeRequest,
  ComposeResource,
  RevisionsResource,
  SavedResource,
  SaveRequest,
} from '#contract/plugin/saving';
import { callResource } from './resource-calls';

export class SavingApi {
  /** @param onChanged called after a change, before its result is returned */
  constructor(
    private readonly uid: string,
    private readonly onChanged: () => void
  ) {}

  access(): Promise<AccessResource> {
    return this.send('GET', 'access');
  }

  compose(request: ComposeRequest): Promise<ComposeResource> {
    return this.send('POST', 'compose', request);
  }

  /** @param id of the saved query that gets a new revision; undefined: a new saved query */
  async save(id: string | undefined, request: SaveRequest): Promise<SavedResource> {
    try {
      return await (id === undefined
        ? this.send<SavedResource>('POST', 'endpoints', request)
        : this.send<SavedResource>('PUT', `endpoints/${encodeURIComponent(id)}`, request));
    } finally {
      // After a conflict too, what is known is out of date.
      this.onChanged();
    }
  }

  /** @param cursor `next` of the page before */
  revisions(id: string, { limit, cursor }: { limit?: number; cursor?: string } = {}): Promise<RevisionsResource> {
    const query = new URLSearchParams({
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return this.send('GET', `endpoints/${encodeURIComponent(id)}/revisions?${query.toString()}`);
  }

  private send<T>(method: string, path: string, data?: object): Promise<T> {
    return callResource<T>(this.uid, method, path, data);
  }
}
