/** OpenAPI 3.1 description; saved queries are in it for a token with scope `endpoints:read`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DescribedEndpoint } from '#contract/queries/description';
import { ServiceError } from '#contract/errors';
import type { AppContext } from '../../app/context';
import { ensureScope, hasScope, type Principal } from '../../catalog/tokens/principal';
import { tenantOf } from '../../catalog/tokens/tenant-of';
import { authenticate, requirePrincipal } from '../request/token/authenticate';
import { negotiateCoding } from '../parsing/negotiation/negotiate-coding';
import { negotiateFormat } from '../parsing/negotiation/negotiate-format';
import { pickOnce, queryOf } from '../parsing/query-string';
import { createOpenApiDocument, type DescribedQuery } from '../openapi/open-api-document';
import { codedServiceDocument, serviceDocument } from '../openapi/service-document';
import type { Call, OpenHandler } from '../router';
import { codingFor, sendJson, writeBody } from '../response/send-body';
import { visibleEndpoint, visibleEndpoints } from '../request/visible-endpoint';

export const openApi: OpenHandler = async ({ ctx, req, res }) => {
  negotiateFormat(req, ['json']);
  const query = pickOnce(queryOf(req), ['query']).get('query');
  if (query !== undefined) return sendQueryDocument({ ctx, req, res }, query);
  const principal = await authenticate(ctx, req, res);
  if (principal) countUnread({ ctx, req, res }, principal);
  const queries = principal && hasScope(principal, 'endpoints:read') ? await describeVisible(ctx, principal) : [];
  if (queries.length === 0) await sendServiceDocument(req, res);
  else await sendJson(req, res, createOpenApiDocument(queries, { withService: true }));
};

async function sendServiceDocument(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const plain = serviceDocument();
  const coding = codingFor(negotiateCoding(req), plain.length);
  const bytes = coding === null ? plain : await codedServiceDocument(coding);
  writeBody(res, { contentType: 'application/json; charset=utf-8', bytes, coding });
}

/** @param query name or id of a saved query */
async function sendQueryDocument({ ctx, req, res }: Call, query: string): Promise<void> {
  const principal = await requirePrincipal(ctx, req, res);
  countUnread({ ctx, req, res }, principal);
  ensureScope(principal, 'endpoints:read');
  const definition = visibleEndpoint(ctx, principal, query);
  const caller = { tenant: tenantOf(principal, ctx.definitions), redact: principal.policy.force_redaction };
  const described = { definition, description: await describe(ctx, definition.id, caller) };
  await sendJson(req, res, createOpenApiDocument([described], { withService: false }));
}

/** The router does it for routes that always have a token. */
function countUnread({ ctx, res }: Call, { tokenId }: Principal): void {
  ctx.unreadResponses.ensureRoom(tokenId);
  ctx.unreadResponses.watch(res, tokenId);
}

/** Saved queries in the document, the first by name. Each makes it some kilobytes longer. */
const MAX_QUERIES = 1000;
/** Saved queries whose rows are described, since the engine compiles each of them. */
const MAX_DESCRIBED = 200;

async function describeVisible(ctx: AppContext, principal: Principal): Promise<DescribedQuery[]> {
  const caller = { tenant: tenantOf(principal, ctx.definitions), redact: principal.policy.force_redaction };
  const found: DescribedQuery[] = [];
  for (const [index, definition] of visibleEndpoints(ctx, principal).slice(0, MAX_QUERIES).entries())
    found.push({ definition, description: index < MAX_DESCRIBED ? await describe(ctx, definition.id, caller) : null });
  return found;
}

/** @returns null for a saved query that does not fit the sources any more, or was deleted since then */
async function describe(
  { engine }: AppContext,
  endpointId: string,
  caller: { readonly tenant: string | null; readonly redact: boolean }
): Promise<DescribedEndpoint | null> {
  try {
    return await engine.call('describe', { endpointId, ...caller, misfits: false });
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return null;
    throw error;
  }
}
