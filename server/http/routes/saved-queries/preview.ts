/** Runs a definition that is not stored: at most 100 rows, never cached. */
import { z } from 'zod';
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/queries/query';
import type { QueryResult } from '#contract/queries/result';
import type { SavedQuery } from '#contract/queries/saved-query';
import { definitionDigest } from '../../../catalog/definitions/definition-digest';
import { ensureNoTenant } from '../../../catalog/tokens/tenant-of';
import { readJsonBody } from '../../bodies/read-json-body';
import { DRAFT_ID } from '../../management/definition-forms';
import { readDraft, readDraftText } from '../../management/draft-definition';
import { ensureWellFormed } from '../../parsing/decode-text';
import { negotiateCoding } from '../../parsing/negotiation/negotiate-coding';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { checkAdhocText } from '../../request/call/adhoc-text';
import { bindParameters } from '../../request/call/bind-parameters';
import { readCallOptions } from '../../request/call/call-options';
import { clientAbortSignal } from '../../request/client-abort';
import { requestFacts } from '../../request/request-facts';
import { ensureStillValid } from '../../request/token/ensure-still-valid';
import { noteIgnored } from '../../response/ignored-parameters';
import { sendResult } from '../../response/send-result';
import type { KeyedHandler } from '../../router';

const MAX_ROWS = 100;
const MAX_TIMEOUT_MS = 10_000;

const bodySchema = z.strictObject({
  definition: z.record(z.string(), z.unknown()).optional(),
  yaml: z.string().optional(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  sql: z.string().optional(),
  lql: z.string().optional(),
});

export const preview: KeyedHandler = async (call) => {
  const { ctx, req, res, principal, tenant } = call;
  ensureNoTenant(tenant, 'Definitions are tried');
  const codings = negotiateCoding(req);
  const format = negotiateFormat(req);
  const options = readCallOptions(req);
  const body = parseBody(await readJsonBody(req, res, ctx.config.http));
  await ensureStillValid(call);
  const definition = body.yaml === undefined ? readDraft(body.definition) : readDraftText(body.yaml).definition;
  const { policy } = principal;
  const entries = Object.entries(body.parameters).map(
    ([name, value]) => [name, ensureWellFormed(String(value), 'A parameter')] as const
  );
  const bound = { fixed_parameters: {}, tenant };
  const { values, ignored } = bindParameters(definition, entries, bound, { reserved: [] });
  noteIgnored(res, ignored);
  const request: Omit<QueryRequest, 'nowMicros'> = {
    endpointId: DRAFT_ID,
    revision: 0,
    definition: definitionDigest(definition),
    parameters: values,
    adhoc: adhocOf(body, definition, ctx.config.http),
    tenant,
    format,
    timestamps: options.timestamps,
    meta: options.meta,
    redact: options.redact || definition.redact_pii || policy.force_redaction,
    maxRows: Math.min(definition.max_rows, MAX_ROWS, policy.max_rows ?? MAX_ROWS),
    maxBytes: definition.max_bytes,
    timeoutMs: Math.min(definition.timeout_ms, MAX_TIMEOUT_MS),
  };
  const signal = clientAbortSignal(res);
  const { tokenId } = principal;
  const release = await ctx.runPermits.acquire({ owner: tokenId, lane: 'adhoc', waitMs: request.timeoutMs, signal });
  const { traceId } = requestFacts(req);
  const run = async (): Promise<QueryResult> => {
    ctx.unreadResponses.ensureRoom(tokenId);
    const runRequest = { ...request, inline: definition, nowMicros: ctx.clock.nowMicros() };
    return ctx.engine.call('run', runRequest, { signal, traceId, owner: tokenId });
  };
  const result = await run().finally(release);
  await ensureStillValid(call);
  await sendResult(call, { result, outcome: 'bypass', entry: null }, { codings, meta: options.meta });
};

function parseBody(value: unknown): z.infer<typeof bodySchema> {
  const parsed = bodySchema.safeParse(value);
  if (parsed.success && (parsed.data.definition === undefined) !== (parsed.data.yaml === undefined)) return parsed.data;
  throw new ServiceError(
    'body_invalid',
    'The body must be {"definition": {...}, "parameters": {...}}, with "yaml" in place of "definition" for a text, and with "sql" or "lql" for a query in its sandbox.'
  );
}

function adhocOf(
  { sql, lql }: z.infer<typeof bodySchema>,
  definition: SavedQuery,
  limits: Parameters<typeof checkAdhocText>[2]
): QueryRequest['adhoc'] {
  if (sql !== undefined && lql !== undefined)
    throw new ServiceError('parameter_conflict', 'Send either "sql" or "lql", not both.');
  if (sql === undefined && lql === undefined) return null;
  const text = ensureWellFormed(sql ?? lql!, 'The query');
  return checkAdhocText({ language: sql === undefined ? 'lql' : 'sql', text }, definition, limits);
}
