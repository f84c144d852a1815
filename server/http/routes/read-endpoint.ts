/** Returns one saved query: definition, parameters, output fields, and sandbox tables with their columns. */
import { createHash } from 'node:crypto';
import { isKnownToCaller } from '../response/entity-tag';
import { negotiateCoding } from '../parsing/negotiate-coding';
import { negotiateFormat } from '../parsing/negotiate-format';
import type { KeyedHandler } from '../router';
import { sendBody } from '../response/send-body';
import { visibleEndpoint } from '../request/visible-endpoint';

export const readEndpoint: KeyedHandler = async ({ ctx, req, res, principal, tenant, path }) => {
  negotiateFormat(req, ['json']);
  const codings = negotiateCoding(req);
  const definition = visibleEndpoint(ctx.definitions, principal, path.q);
  const { fields, tables } = await ctx.engine.call('describe', {
    endpointId: definition.id,
    tenant,
    redact: principal.policy.force_redaction,
  });
  const bytes = Buffer.from(JSON.stringify({ result: { ...definition, fields, tables } }));
  // Columns change as logs arrive, so the revision alone does not identify the response.
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const etag = `W/"${definition.revision}-${digest}"`;
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', 'private, no-cache');
  if (isKnownToCaller(req, etag)) {
    res.status(304).end();
    return;
  }
  await sendBody(req, res, { contentType: 'application/json; charset=utf-8', bytes, codings });
};
