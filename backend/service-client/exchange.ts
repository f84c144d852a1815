/**
 * One HTTP request and its whole response. `request` of undici does the same through a stream, which takes longer than
 * the parsing of a small response.
 */
import type { Dispatcher } from 'undici';

export interface ExchangeRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

const FIRST_FINAL_STATUS = 200;

/**
 * @param tooLarge creates the error for a response of more than `maxBytes`
 * @throws the reason of the signal, at once, also while the connection is being made
 */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  signal: AbortSignal,
  maxBytes: number,
  tooLarge: () => Error
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let headers: Exchange['headers'] = {};
    let controller: Dispatcher.DispatchController | undefined;
    const onAbort = (): void => {
      controller?.abort(signal.reason as Error);
      fail(signal.reason as Error);
    };
    const fail = (error: Error): void => {
      signal.removeEventListener('abort', onAbort);
      reject(error);
    };
    signal.addEventListener('abort', onAbort);
    dispatcher.dispatch(request, {
      onRequestStart: (started) => {
        if (signal.aborted) started.abort(signal.reason as Error);
        else controller = started;
      },
      onResponseStart: (_controller, statusCode, received) => {
        if (statusCode < FIRST_FINAL_STATUS) return;
        status = statusCode;
        headers = received;
      },
      onResponseData: (current, chunk) => {
        size += chunk.length;
        if (size > maxBytes) current.abort(tooLarge());
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        signal.removeEventListener('abort', onAbort);
        resolve({ status, headers, bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
      },
      onResponseError: (_controller, error) => fail(error),
    });
  });
}
