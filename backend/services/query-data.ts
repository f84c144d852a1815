/** QueryData: each query of the request runs independently, and succeeds or fails on its own. */
import { encodeFrame } from '../frames/encode-frame';
import type { Instance } from '../instances/instance';
import type { DataQuery, DataResponse, QueryDataRequest, QueryDataResponse } from '../proto/messages';
import { runQuery } from '../query/run-query';
import type { BackendContext } from './backend-context';
import { callContext, type GrpcCall } from './call-context';
import { renderFailure } from './render-failure';

export async function queryData(
  backend: BackendContext,
  { pluginContext, headers, queries }: QueryDataRequest,
  call: GrpcCall
): Promise<QueryDataResponse> {
  const instance = instanceOrFailure(backend, pluginContext);
  const origin = { isAlert: isTrue(headers, 'FromAlert'), isExpression: isTrue(headers, 'http_X-Grafana-From-Expr') };
  const answers = await Promise.all(
    queries.map(async (query): Promise<[string, DataResponse]> => {
      if ('failed' in instance) return [query.refId, instance.failed];
      return [query.refId, await answer(backend, instance.instance, query, origin, call, headers)];
    })
  );
  return { responses: Object.fromEntries(answers) };
}

async function answer(
  backend: BackendContext,
  instance: Instance,
  query: DataQuery,
  origin: { isAlert: boolean; isExpression: boolean },
  call: GrpcCall,
  headers: QueryDataRequest['headers']
): Promise<DataResponse> {
  const startedAt = performance.now();
  const outcome = await runQuery(instance, query, origin, callContext(call, instance, headers));
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
