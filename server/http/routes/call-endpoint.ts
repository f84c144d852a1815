/** Run a saved query, or an ad-hoc query in its sandbox. */
import type { Response } from 'express';
import type { QueryRequest } from '#contract/query';
import type { QueryResult } from '#contract/result';
import { withCacheFacts } from '../../query/encode/json';
import { readAdhocText } from '../adhoc-text';
import { bindParameters, formatIgnored } from '../bind-parameters';
import { readCallInput } from '../call-input';
import { callerGoneSignal } from '../caller-gone';
import { readCallOptions } from '../call-options';
import { negotiateCoding } from '../negotiate-coding';
import { CONTENT_TYPES, negotiateFormat } from '../negotiate-format';
import { requestFacts } from '../request-facts';
import type { KeyedCall, KeyedHandler } from '../router';
import { sendBody } from '../send-body';
import { formatServerTiming } from '../server-timing';
import { visibleEndpoint } from '../visible-endpoint';

export const callEndpoint: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  ctx.unsentAnswers.ensureRoom(principal.tokenId);
  const codings = negotiateCoding(req);
  const { request, ignored } = await readRequest(call);
  if (ignored.length > 0) res.setHeader('SVC-ENDPOINT-IGNORED-PARAMETERS', formatIgnored(ignored));

  const signal = callerGoneSignal(res);
  const { traceId } = requestFacts(req);
  const result = await ctx.runQuery(request, { owner: principal.tokenId, isBackground: false, traceId, signal });

  setResultHeaders(res, result);
  res.setHeader('Server-Timing', formatServerTiming(result.timings, traceId));
  const bytes = bodyOf(request, result);
  ctx.unsentAnswers.hold(res, principal.tokenId, bytes.length);
  await sendBody(req, res, { contentType: CONTENT_TYPES[result.format], bytes, codings });
};

/** Everything about the call that can be refused without the engine. */
async function readRequest({
  ctx,
  req,
  res,
  principal,
}: KeyedCall): Promise<{ request: QueryRequest; ignored: readonly string[] }> {
  const format = negotiateFormat(req);
  const options = readCallOptions(req);
  const definition = visibleEndpoint(ctx.definitions, principal, String(req.params['q']));
  const { entries } = await readCallInput(req, res, ctx.config.http);
  const adhoc = readAdhocText(entries, definition, principal, ctx.config.http);
  const { policy } = principal;
  const { values, ignored } = bindParameters(definition, entries, policy, { reserved: ['sql', 'lql'] });
  const request: QueryRequest = {
    endpointId: definition.id,
    revision: definition.revision,
    parameters: values,
    adhoc,
    format,
    timestamps: options.timestamps,
    meta: options.meta,
    redact: options.redact || definition.redact_pii || policy.force_redaction,
    maxRows: Math.min(definition.max_rows, policy.max_rows ?? definition.max_rows),
    maxBytes: definition.max_bytes,
    timeoutMs: definition.timeout_ms,
    nowMicros: ctx.clock.nowMicros(),
  };
  return { request, ignored };
}

function setResultHeaders(res: Response, result: QueryResult): void {
  res.setHeader('SVC-ENDPOINT-ROWS', result.rows);
  res.setHeader('SVC-ENDPOINT-REVISION', result.revision);
  if (result.truncated) res.setHeader('SVC-ENDPOINT-TRUNCATED', 'true');
  if (result.redacted) res.setHeader('SVC-ENDPOINT-REDACTED', 'true');
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Cache-Status', 'log-query; fwd=bypass');
}

function bodyOf(request: QueryRequest, result: QueryResult): Uint8Array {
  if (!request.meta || result.format !== 'json') return result.bytes;
  return Buffer.concat(withCacheFacts(result.bytes, { status: 'bypass', age: 0 }));
}
