/** A live tail of a call over the HTTP API. */
import type { ApiClient } from '../api/client';
import { readResult, sendQuery, type RunRequest } from '../api/run-query';
import { serviceClock } from '../api/service-clock';
import { LiveTail, type TailState } from './live-tail';
import { tailRequest, type TailSource } from './tail-request';

export interface Follower {
  /** Asks once for what is new. @throws Problem */
  readonly poll: (signal: AbortSignal) => Promise<TailState>;
  readonly clear: () => TailState;
}

export function follow(api: ApiClient, request: RunRequest, source: TailSource, maxRows: number): Follower {
  let signal = new AbortController().signal;
  const tail = new LiveTail(
    async (window) => {
      const sent = tailRequest(request, source, window);
      const headers = { 'SVC-ENDPOINT-META': 'true', 'Cache-Control': 'no-store' };
      const response = await sendQuery(api, sent, headers, signal);
      const serverMs = Date.parse(response.headers.get('Date') ?? '') || serviceClock.now();
      return { ...(await readResult(response)), serverMs };
    },
    maxRows,
    source.kind === 'sql'
  );
  return {
    poll: (own) => {
      signal = own;
      return tail.poll(serviceClock.now());
    },
    clear: () => tail.clear(),
  };
}
