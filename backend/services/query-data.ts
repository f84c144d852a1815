/** QueryData: each query of the request runs independently, and succeeds or fails on its own. */
import { encodeFrame } from '../frames/encode/encode-frame';
import type { Instance } from '../instances/instance';
import type { DataQuery, DataResponse, QueryDataRequest, QueryDataResponse } from '../proto/messages';
import { type QueryOrigin, runQuery } from '../query/run-query';
import type { CallContext } from '../service-client/service-client';
import type { BackendContext } from './backend-context';
import { callContext, type GrpcCall } from './call-context';
import { renderFailure } from './render-failure';

export async function queryData(
  backend: BackendContext,
  { pluginContext, headers, queries }: QueryDataRequest,
  call: GrpcCall
): Promise<QueryDataResponse> {
  const found = instanceOrFailure(backend, pluginContext);
  if ('failed' in found) return { responses: Object.fromEntries(queries.map(({ refId }) => [refId, found.failed])) };
  const { instance } = found;
  const origin = { isAlert: isTrue(headers, 'FromAlert'), isExpression: isTrue(headers, 'http_X-Grafana-From-Expr') };
  const ctx = { ...callContext(call, instance, headers), isUrgent: origin.isAlert };
  const answers = await Promise.all(
    queries.map(async (query): Promise<[string, DataResponse]> => {
      return [query.refId, await answer(backend, instance, query, origin, ctx)];
    })
  );
  return { responses: Object.fromEntries(answers) };
}

async function answer(
  backend: BackendContext,
  instance: Instance,
  query: DataQuery,
  origin: QueryOrigin,
  ctx: CallContext
): Promise<DataResponse> {
  const startedAt = performance.now();
  const outcome = await runQuery(instance, query, origin, ctx);
  const seconds = (performance.now() - startedAt) / 1000;
  if (!('error' in outcome)) {
    backend.metrics.queryEnded('ok', seconds);
    return { frames: [encodeFrame(outcome.frame)], status: 200 };
  }
  const failure = renderFailure(outcome.error, backend.logger, instance.scrub);
  backend.metrics.queryEnded(failure.resource.code, seconds);
  return {
    frames: [encodeFrame(outcome.frame)],
    error: failure.userMessage,
    status: failure.status,
    errorSource: failure.source,
  };
}

/**
 * Invalid settings fail each query instead of the request, because Grafana reports a failed request as a broken plugin.
 */
function instanceOrFailure(
  backend: BackendContext,
  context: QueryDataRequest['pluginContext']
): { readonly instance: Instance } | { readonly failed: DataResponse } {
  try {
    return { instance: backend.instances.get(context) };
  } catch (error) {
    const { userMessage, status, source } = renderFailure(error, backend.logger);
    return { failed: { frames: [], error: userMessage, status, errorSource: source } };
  }
}

/** All versions of Grafana spell `FromAlert` this way. */
function isTrue(headers: Readonly<Record<string, string>>, name: string): boolean {
  return headers[name] === 'true';
}
