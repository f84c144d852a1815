/** Checks ad-hoc texts without a run. */
import type { ValidateResult } from '#contract/queries/description';
import type { AdhocText } from '#contract/queries/query';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { KeyedCall } from '../../router';
import type { NameValue } from '../../parsing/query-string';
import { bindParameters } from './bind-parameters';

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

export interface CheckedText {
  readonly result: ValidateResult;
  /** Names of parameters that the saved query does not declare. */
  readonly ignored: readonly string[];
}

/**
 * @param entries parameters of the saved query, of which required ones may be absent
 * @throws ServiceError those of `bindParameters` and of the engine
 */
export async function validateText(
  { ctx, principal, tenant }: Caller,
  definition: SavedQuery,
  { adhoc, entries }: { readonly adhoc: AdhocText; readonly entries: readonly NameValue[] }
): Promise<CheckedText> {
  const bound = { fixed_parameters: principal.policy.fixed_parameters, tenant };
  const { values, ignored } = bindParameters(definition, entries, bound, { reserved: [], partial: true });
  const request = {
    kind: 'adhoc',
    endpointId: definition.id,
    adhoc,
    parameters: values,
    tenant,
    redact: principal.policy.force_redaction,
  } as const;
  return { result: await ctx.engine.call('validate', request, { owner: principal.tokenId }), ignored };
}
