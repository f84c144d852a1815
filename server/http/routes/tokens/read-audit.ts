/** Returns the audit trail, newest entries first. */
import { AUDIT_ACTIONS } from '#contract/changes/audit';
import { ServiceError } from '#contract/errors';
import { meantHint } from '#contract/nearest-name';
import type { AuditFilter } from '../../../catalog/audit/audit-log';
import { powerOf } from '../../../catalog/tokens/power/token-power';
import { isCalendarDay } from '../../../common/calendar-day';
import { powerRules, withTokenErrors } from '../../management/tokens/change-tokens';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { cursorInvalid, readCursor, readLimit, writeCursor } from '../../parsing/page-query';
import { knownParameters } from '../../request/known-parameters';
import { sendJson } from '../../response/send-body';
import type { KeyedHandler } from '../../router';

export const readAudit: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  negotiateFormat(req, ['json']);
  if (powerOf(principal.policy, powerRules(ctx)).isConfined)
    throw new ServiceError(
      'tenant_denied',
      'The audit trail names the saved queries and tokens of all tenants; use an access token without a tenant, fixed ' +
        'parameters, forced redaction and a list of saved queries.',
      { reason: 'confined' }
    );
  const given = knownParameters({ req, res }, ['limit', 'cursor', 'action', 'object', 'since', 'until']);
  const limit = readLimit(given);
  const filter = readFilter(given);
  const page = await withTokenErrors(call, () => ctx.audit.read(readCursor(given), limit, filter));
  if (page === null) throw cursorInvalid();
  await sendJson(req, res, {
    result: page.entries,
    next_cursor: page.next === null ? null : writeCursor(page.next),
  });
};

function readFilter(given: ReadonlyMap<string, string>): AuditFilter {
  const action = given.get('action');
  const known = AUDIT_ACTIONS.find((each) => each === action);
  if (action !== undefined && known === undefined)
    throw new ServiceError('parameter_invalid', 'The parameter "action" is not an action of the audit trail.', {
      parameter: 'action',
      allowed: AUDIT_ACTIONS,
      ...meantHint(action, AUDIT_ACTIONS),
    });
  return {
    action: known ?? null,
    object: given.get('object') ?? null,
    since: readTime(given, 'since'),
    until: readTime(given, 'until'),
  };
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** @returns as ISO 8601 in UTC */
function readTime(given: ReadonlyMap<string, string>, parameter: string): string | null {
  const text = given.get(parameter);
  if (text === undefined) return null;
  const day = TIME.exec(text)?.[1];
  const time = day !== undefined && isCalendarDay(day) ? new Date(text) : null;
  if (time && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new ServiceError(
    'parameter_invalid',
    `The parameter "${parameter}" must be a time like 2027-01-31 or 2027-01-31T12:00:00Z.`,
    { parameter }
  );
}
