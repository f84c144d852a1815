/** Calls of the HTTP API with the token of the session. */
import { Problem, problemOf, unreachable } from './problem';
import { serviceClock } from './service-clock';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export class ApiClient {
  private readonly token: string;
  private readonly onRefused: () => void;

  /** @param onRefused the token is not valid, or no longer */
  constructor(token: string, onRefused: () => void) {
    this.token = token;
    this.onRefused = onRefused;
  }

  /**
   * @param path with its query string, relative to the origin of the page
   * @throws Problem for every status but those of success; `AbortError` when it was cancelled
   */
  async send(path: string, { method = 'GET', body, headers, signal }: ApiRequest = {}): Promise<Response> {
    const response = await fetch(path, {
      method,
      headers: {
        'X-API-KEY': this.token,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      credentials: 'omit',
      signal: signal ?? null,
    }).catch((error: unknown) => {
      throw signal?.aborted === true ? error : unreachable();
    });
    serviceClock.read(response);
    if (response.ok) return response;
    const problem = problemOf(response.status, await response.text().catch(() => ''));
    if (problem.needsToken) this.onRefused();
    throw problem;
  }

  /** The `result` of an answer. */
  async result<T>(path: string, request?: ApiRequest): Promise<T> {
    return ((await this.json(path, request)) as { result: T }).result;
  }

  async json(path: string, request?: ApiRequest): Promise<unknown> {
    return whole<unknown>((await this.send(path, request)).json(), request?.signal);
  }
}

/** @param body that is being read. @throws Problem when it is not whole; the reason of the signal */
export async function whole<T>(body: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await body;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Problem(0, { code: 'cut_off', message: 'The answer was cut off.', details: { hint: 'try again' } });
  }
}
