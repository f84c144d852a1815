/** Says whether the caller can save queries: the user's role in Grafana, and the scopes of the data source's token. */
import type { AccessResource, TokenAccess } from '#contract/plugin/saving';
import type { ResourceCall } from '../resources/resource-call';
import { PluginError } from '../service-client/failures/plugin-error';
import { ensureEditor } from './ensure-editor';

export async function readAccess({ instance, ctx, user }: ResourceCall): Promise<AccessResource> {
  // The limits of the token are for those who may use them.
  const whyNotRole = roleProblem(user);
  if (whyNotRole !== null) return { canSave: false, whyNot: whyNotRole, token: null };
  let token: TokenAccess;
  try {
    token = await instance.client.access(ctx);
  } catch (error) {
    // Services before this route have no way to tell.
    if (!(error instanceof PluginError) || error.code !== 'route_not_found') throw error;
    return { canSave: false, whyNot: 'The service is too old to save queries from Grafana.', token: null };
  }
  const whyNot = tokenProblem(token);
  return { canSave: whyNot === null, whyNot, token };
}

function roleProblem(user: ResourceCall['user']): string | null {
  try {
    ensureEditor(user);
    return null;
  } catch (error) {
    if (error instanceof PluginError) return error.message;
    throw error;
  }
}

function tokenProblem({ scopes, tenant }: TokenAccess): string | null {
  const missing = ['endpoints:read', 'endpoints:write'].find((scope) => !scopes.includes(scope));
  if (missing !== undefined) return `The access token of the data source lacks the scope ${missing}.`;
  return tenant === null ? null : 'The access token of the data source is confined to a tenant.';
}
