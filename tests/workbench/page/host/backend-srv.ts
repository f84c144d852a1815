/**
 * Grafana's request layer: a request with the id of one that still runs cancels that one, and refusals are thrown in
 * its shape.
 */
import type { BackendSrv, BackendSrvRequest } from '@grafana/runtime';
import { defer, filter, from, Subject, takeUntil, throwIfEmpty } from 'rxjs';

const CANCELLED = -1;

export function createBackendSrv(): BackendSrv {
  const begun = new Subject<string>();
  const fetch = (request: BackendSrvRequest) =>
    defer(() => {
      const { requestId } = request;
      if (requestId) begun.next(requestId);
      // The host marks the object that it was given.
      Object.assign(request, { retry: request.retry ?? 0, url: request.url.replace(/^\//, '') });
      return from(send(request)).pipe(
        takeUntil(begun.pipe(filter((id) => id === requestId))),
        throwIfEmpty(() => ({
          type: 'cancelled',
          cancelled: true,
          data: null,
          status: CANCELLED,
          statusText: 'Request was aborted',
          config: request,
        }))
      );
    });
  return { fetch, resolveCancelerIfExists: (id: string) => begun.next(id) } as unknown as BackendSrv;
}

async function send({ url, method = 'GET', data, headers }: BackendSrvRequest) {
  const answer = await fetch(`/${url}`, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(data === undefined ? {} : { body: JSON.stringify(data) }),
  });
  const body: unknown = await answer.json();
  const { status, statusText, ok } = answer;
  const outcome = { status, statusText, ok, data: body, config: { url } };
  if (!ok) throw outcome;
  return outcome;
}
