/** OpenAPI 3.1 description; saved queries are in it for a token with scope `endpoints:read`. */
import type { AppContext } from '../../app/context';
import { hasScope, type Principal } from '../../catalog/tokens/principal';
import { tenantOf } from '../../catalog/tokens/tenant-of';
import { authenticate } from '../request/authenticate';
import { negotiateFormat } from '../parsing/negotiate-format';
import { createOpenApiDocument, type DescribedQuery } from '../openapi/open-api-document';
import type { OpenHandler } from '../router';
import { sendJson } from '../response/send-body';
import { visibleEndpoints } from '../request/visible-endpoint';

export const openApi: OpenHandler = async ({ ctx, req, res }) => {
  negotiateFormat(req, ['json']);
  const principal = await authenticate(ctx, req, res);
  const queries = principal && hasScope(principal, 'endpoints:read') ? await describeVisible(ctx, principal) : [];
  await sendJson(req, res, createOpenApiDocument(queries));
};

function describeVisible(ctx: AppContext, principal: Principal): Promise<DescribedQuery[]> {
  const tenant = tenantOf(principal, ctx.definitions);
  return Promise.all(
    visibleEndpoints(ctx, principal).map(async (definition) => ({
      definition,
      description: await ctx.engine.call('describe', {
        endpointId: definition.id,
        tenant,
        redact: principal.policy.force_redaction,
      }),
    }))
  );
}
