/** OpenAPI 3.1 description; saved queries are in it for a token with scope `endpoints:read`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DescribedEndpoint } from '#contract/queries/description';
import { ServiceError } from '#contract/errors';
import { groupOf } from '../../../admission/tenant-group';
import { ensureScope, hasScope, type Principal } from '../../../catalog/tokens/principal';
import { tenantOf } from '../../../catalog/tokens/tenant-of';
import { inTurns } from '../../../ingest/in-turns';
import { clientAbortSignal } from '../../request/client-abort';
import { describeQuery } from '../../request/describe-query';
import { authenticate, requirePrincipal } from '../../request/token/authenticate';
import { negotiateCoding } from '../../parsing/negotiation/negotiate-coding';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { knownParameters } from '../../request/known-parameters';
import { createOpenApiDocument, type DescribedQuery, openApiParts } from '../../openapi/open-api-document';
import { codedServiceDocument, serviceDocument } from '../../openapi/service-document';
import type { Call, OpenHandler } from '../../router';
import { codingFor, sendBody, sendJson, writeBody } from '../../response/send-body';
import { visibleEndpoint, visibleEndpoints } from '../../request/visible-endpoint';

export const openApi: OpenHandler = async ({ ctx, req, res }) => {
  negotiateFormat(req, ['json']);
  const query = knownParameters({ req, res }, ['query']).get('query');
  if (query !== undefined) return sendQueryDocument({ ctx, req, res }, query);
  const principal = await authenticate(ctx, req, res);
  if (principal) countUnread({ ctx, req, res }, principal);
  if (principal && hasScope(principal, 'endpoints:read')) await sendWithQueries({ ctx, req, res, principal });
  else await sendServiceDocument(req, res);
};

interface Describing extends Call {
  readonly principal: Principal;
}

const MAX_WAIT_MS = 10_000;

/** One document of a token at a time: each takes seconds of the engine, and megabytes. */
async function sendWithQueries(call: Describing): Promise<void> {
  const { ctx, req, res, principal } = call;
  const signal = clientAbortSignal(res);
  const tenant = tenantOf(principal, ctx.definitions);
  const permit = { owner: principal.tokenId, tenant, lane: 'saved', waitMs: MAX_WAIT_MS, signal } as const;
  const release = await ctx.documentPermits.acquire(permit);
  try {
    const queries = await describeVisible(call, signal);
    if (queries.length === 0) await sendServiceDocument(req, res);
    else await sendBody(req, res, { contentType: JSON_TYPE, bytes: await writeDocument(queries) });
  } finally {
    release();
  }
}

async function writeDocument(queries: readonly DescribedQuery[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  await inTurns(openApiParts(queries), (part) => parts.push(Buffer.from(part)));
  return Buffer.concat(parts);
}

const JSON_TYPE = 'application/json; charset=utf-8';

async function sendServiceDocument(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const plain = serviceDocument();
  const coding = codingFor(negotiateCoding(req), plain.length);
  const bytes = coding === null ? plain : await codedServiceDocument(coding);
  writeBody(res, { contentType: JSON_TYPE, bytes, coding });
}

/** @param query name or id of a saved query */
async function sendQueryDocument({ ctx, req, res }: Call, query: string): Promise<void> {
  const principal = await requirePrincipal(ctx, req, res);
  countUnread({ ctx, req, res }, principal);
  ensureScope(principal, 'endpoints:read');
  const definition = visibleEndpoint(ctx, principal, query);
  const caller = { tenant: tenantOf(principal, ctx.definitions), redact: principal.policy.force_redaction };
  const description = await describe({ ctx, req, res, principal }, definition.id, caller, clientAbortSignal(res));
  const described = { definition, description };
  await sendJson(req, res, createOpenApiDocument([described], { withService: false }));
}

/** The router does it for routes that always have a token. */
function countUnread({ ctx, res }: Call, principal: Principal): void {
  const group = groupOf(principal.tokenId, tenantOf(principal, ctx.definitions));
  ctx.unreadResponses.ensureRoom(group);
  ctx.unreadResponses.watch(res, group);
}

/** Saved queries in the document, the first by name. Each makes it some kilobytes longer. */
const MAX_QUERIES = 1000;
/** Saved queries whose rows are described, since the engine compiles each of them. */
const MAX_DESCRIBED = 200;

async function describeVisible(call: Describing, signal: AbortSignal): Promise<DescribedQuery[]> {
  const { ctx, principal } = call;
  const caller = { tenant: tenantOf(principal, ctx.definitions), redact: principal.policy.force_redaction };
  const found: DescribedQuery[] = [];
  for (const [index, definition] of visibleEndpoints(ctx, principal).slice(0, MAX_QUERIES).entries()) {
    const description = index < MAX_DESCRIBED ? await describe(call, definition.id, caller, signal) : null;
    found.push({ definition, description });
  }
  return found;
}

/** @returns null for a saved query that does not fit the sources any more, or was deleted since then */
async function describe(
  call: Describing,
  endpointId: string,
  caller: { readonly tenant: string | null; readonly redact: boolean },
  signal: AbortSignal
): Promise<DescribedEndpoint | null> {
  try {
    return await describeQuery(call, { endpointId, ...caller, misfits: false }, signal);
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500 && error.status !== 429) return null;
    throw error;
  }
}
