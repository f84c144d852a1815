/** Returns what the token of the request may do. No part of its secret, and no value of a fixed parameter. */
import { hasScope } from '../../../catalog/tokens/principal';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';
import { sendJson } from '../../response/send-body';

export const readOwnToken: KeyedHandler = async ({ req, res, principal, tenant }) => {
  negotiateFormat(req, ['json']);
  const { name, scopes, endpoints, fixed_parameters, force_redaction, max_rows, expires_at } = principal.policy;
  res.setHeader('Cache-Control', 'no-store');
  await sendJson(req, res, {
    result: {
      name,
      // A scope that the limits of the token forbid is not one that it may use.
      scopes: scopes.filter((scope) => hasScope(principal, scope)),
      endpoints,
      fixed_parameters: Object.keys(fixed_parameters),
      tenant,
      force_redaction,
      max_rows,
      expires_at,
    },
  });
};
