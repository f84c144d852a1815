/** Checks ad-hoc texts without a run. */
import type { ValidateResult } from '#contract/queries/description';
import type { AdhocText } from '#contract/queries/query';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { KeyedCall } from '../../router';
import type { NameValue } from '../../parsing/query-string';
import { bindParameters, type BoundParameters } from './bind-parameters';

type Caller = Pick<KeyedCall, 'ctx' | 'principal' | 'tenant'>;

const MAX_WAIT_MS = 10_000;

/**
 * Runs one check. The engine compiles in one thread, so checks have a lane of their own: they are bounded and do not
 * wait for queries.
 *
 * @throws ServiceError `concurrency_limited`, `overloaded`
 */
export async function inCheckLane<T>(
  { ctx, principal, tenant }: Caller,
  signal: AbortSignal,
  check: () => Promise<T>
): Promise<T> {
  const release = await ctx.runPermits.acquire({
    owner: principal.tokenId,
    tenant,
    lane: 'check',
    waitMs: MAX_WAIT_MS,
    signal,
  });
  try {
    return await check();
  } finally {
    release();
  }
}

/**
 * Parameters of the saved query for a check, of which required ones may be absent, and the names that it does not
 * declare.
 *
 * @throws ServiceError those of `bindParameters`
 */
export function bindForCheck(
  { principal, tenant }: Pick<Caller, 'principal' | 'tenant'>,
  definition: SavedQuery,
  entries: readonly NameValue[]
): BoundParameters {
  const bound = { fixed_parameters: principal.policy.fixed_parameters, tenant };
  return bindParameters(definition, entries, bound, { reserved: [], partial: true });
}

/** @throws ServiceError those of the engine */
export function validateText(
  { ctx, principal, tenant }: Caller,
  { id: endpointId }: SavedQuery,
  { adhoc, values }: { readonly adhoc: AdhocText; readonly values: BoundParameters['values'] }
): Promise<ValidateResult> {
  const redact = principal.policy.force_redaction;
  const request = { kind: 'adhoc', endpointId, adhoc, parameters: values, tenant, redact } as const;
  return ctx.engine.call('validate', request, { owner: principal.tokenId });
}
