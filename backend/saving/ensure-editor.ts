/**
 * Changes need Grafana's role Editor or Admin. Grafana fills the user of the plugin context from the session of the
 * request; headers and bodies of clients do not reach it.
 */
import type { User } from '../proto/messages';
import { PluginError } from '../service-client/failures/plugin-error';

const ROLES: ReadonlySet<string> = new Set(['Editor', 'Admin']);

/** @throws PluginError `role_missing`, also for a request without a user or a role */
export function ensureEditor(user: User | null): User {
  if (user && ROLES.has(user.role)) return user;
  throw new PluginError(
    'role_missing',
    'Saved queries are changed by users with the role Editor or Admin in Grafana.',
    {
      status: 403,
      hint: user?.role ? `your role in this organization is ${user.role}` : 'the request has no user with a role',
    }
  );
}
