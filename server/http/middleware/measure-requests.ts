/** Counts each completed request, with the error code of refused ones. */
import type { ErrorCode } from '#contract/errors';
import { ROUTE_METHODS } from '#contract/routes/route';
import type { Metrics } from '../../monitoring/metrics/metrics';
import type { RequestFacts } from '../request/request-facts';
import type { EndedListener } from './observe-responses';

export function measureRequests(metrics: Metrics): EndedListener {
  startAtZero(metrics);
  return ({ req, res, facts, durationMs }) => {
    const labels = { route: facts.route ?? 'none', method: METHODS.find((known) => known === req.method) ?? 'other' };
    metrics.httpRequests.inc({ ...labels, code: res.headersSent ? String(res.statusCode) : 'aborted' });
    metrics.httpDuration.observe(labels, durationMs / 1000);
    if (facts.failure) countFailure(metrics, facts.failure);
  };
}

/** A counter that appears with its first refusal shows no increase: rates need the zero before it. */
function startAtZero({ authFailures, queryRejections }: Metrics): void {
  for (const reason of [...Object.values(AUTH_REASONS), WRONG_KEYS]) authFailures.inc({ reason }, 0);
  for (const rule of [...SANDBOX_RULES, ...REJECTIONS]) queryRejections.inc({ rule }, 0);
}

/** Methods used as labels. Clients can invent others, which would make the number of labels unbounded. */
const METHODS: readonly string[] = [...ROUTE_METHODS, 'HEAD', 'OPTIONS'];

function countFailure(metrics: Metrics, { code, details }: NonNullable<RequestFacts['failure']>): void {
  const authReason = AUTH_REASONS[code];
  if (authReason) metrics.authFailures.inc({ reason: authReason });
  if (code === 'rate_limited' && details.reason === WRONG_KEYS) metrics.authFailures.inc({ reason: WRONG_KEYS });
  if (code === 'query_timeout') metrics.queryTimeouts.inc();
  if (code === 'sandbox_violation') metrics.queryRejections.inc({ rule: ruleOf(details) ?? code });
  else if (REJECTIONS.includes(code)) metrics.queryRejections.inc({ rule: code });
}

function ruleOf({ rule }: { readonly [key: string]: unknown }): string | undefined {
  return typeof rule === 'string' ? rule : undefined;
}

const WRONG_KEYS = 'wrong_keys';
/** Rules of the sandbox, as the compiler names them. */
const SANDBOX_RULES = ['statement', 'clause', 'table', 'function'];

const AUTH_REASONS: { readonly [C in ErrorCode]?: string } = {
  token_missing: 'missing',
  token_invalid: 'invalid',
  scope_missing: 'scope',
};

const REJECTIONS: readonly ErrorCode[] = [
  'sql_empty',
  'sql_syntax',
  'query_invalid',
  'sandbox_disabled',
  'query_too_complex',
  'resource_limit',
];
