/** Returns what the token of the request may do. No part of its secret, and no value of a fixed parameter. */
import { negotiateFormat } from '../parsing/negotiate-format';
import type { KeyedHandler } from '../router';
import { sendJson } from '../response/send-body';

export const readToken: KeyedHandler = async ({ req, res, principal, tenant }) => {
  negotiateFormat(req, ['json']);
  const { name, scopes, endpoints, fixed_parameters, force_redaction, max_rows, expires_at } = principal.policy;
  res.setHeader('Cache-Control', 'no-store');
  await sendJson(req, res, {
    result: {
      name,
      scopes,
      endpoints,
      fixed_parameters: Object.keys(fixed_parameters),
      tenant,
      force_redaction,
      max_rows,
      expires_at,
    },
  });
};
