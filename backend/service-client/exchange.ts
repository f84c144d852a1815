/**
 * One HTTP request and its whole response. `request` of undici does the same through a stream, which takes longer than
 * the parsing of a small response.
 */
import type { Dispatcher } from 'undici';
import type { Deadline } from './calls/deadline';

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
 * @throws the reason of the deadline, at once, also while the connection is being made
 */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  deadline: Deadline,
  maxBytes: number,
  tooLarge: () => Error
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    if (deadline.reason) return reject(deadline.reason);
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let headers: Exchange['headers'] = {};
    let controller: Dispatcher.DispatchController | undefined;
    deadline.onEnd = (reason) => {
      controller?.abort(reason);
      reject(reason);
    };
    dispatcher.dispatch(request, {
      onRequestStart: (started) => {
        if (deadline.reason) started.abort(deadline.reason);
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
        deadline.onEnd = undefined;
        resolve({ status, headers, bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) });
      },
      onResponseError: (_controller, error) => {
        deadline.onEnd = undefined;
        reject(error);
      },
    });
  });
}
