/** Returns one saved query: definition, parameters, output fields, and sandbox tables with their columns. */
import { createHash } from 'node:crypto';
import type { DescribedEndpoint } from '#contract/queries/description';
import { type ErrorBody, ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import { seesAllEvents } from '../../../catalog/tokens/tenant-of';
import type { DescribeRequest } from '../../../engine/protocol/messages';
import { clientAbortSignal } from '../../request/client-abort';
import { inCheckLane } from '../../request/call/validate-text';
import { describeQuery } from '../../request/describe-query';
import { isKnownToCaller } from '../../response/entity-tag';
import { negotiateCoding } from '../../parsing/negotiation/negotiate-coding';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedCall, KeyedHandler } from '../../router';
import { sendBody, sendEmpty } from '../../response/send-body';
import { visibleEndpoint } from '../../request/visible-endpoint';

export const readEndpoint: KeyedHandler = async (call) => {
  const { ctx, req, res, principal, tenant, path } = call;
  negotiateFormat(req, ['json']);
  const codings = negotiateCoding(req);
  const definition = visibleEndpoint(ctx, principal, path.q);
  const origin = ctx.definitions.originOf(definition);
  const described = await describe(call, definition, {
    tenant,
    redact: principal.policy.force_redaction,
    misfits: seesAllEvents(principal, tenant),
  });
  const bytes = Buffer.from(JSON.stringify({ result: { ...definition, origin, ...described } }));
  // Columns change as logs arrive, so the revision alone does not identify the response.
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const etag = `W/"${definition.revision}-${digest}"`;
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', 'private, no-cache');
  if (isKnownToCaller(req, etag)) {
    sendEmpty(res, 304);
    return;
  }
  await sendBody(req, res, { contentType: 'application/json; charset=utf-8', bytes, codings });
};

interface Described extends DescribedEndpoint {
  /** Present when the saved query does not fit the sources any more. */
  readonly problem?: ErrorBody;
}

async function describe(
  call: KeyedCall,
  definition: SavedQuery,
  caller: Omit<DescribeRequest, 'endpointId'>
): Promise<Described> {
  const signal = clientAbortSignal(call.res);
  try {
    return await describeQuery(call, { endpointId: definition.id, ...caller }, signal);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'definition_invalid') throw error;
    return { fields: [], tables: [], problem: await problemOf(call, definition, { known: error, signal }) };
  }
}

async function problemOf(
  call: KeyedCall,
  definition: SavedQuery,
  { known, signal }: { readonly known: ServiceError; readonly signal: AbortSignal }
): Promise<ErrorBody> {
  try {
    await inCheckLane(call, signal, () =>
      call.ctx.engine.call('validate', { kind: 'definition', definition, tenant: null, redact: false })
    );
    return shown(known);
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500 && error.status !== 429) return shown(error);
    throw error;
  }
}

function shown(error: ServiceError): ErrorBody {
  return { ...error.toBody(), message: error.sentence };
}
