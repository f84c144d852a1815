/**
 * Descriptions of saved queries: their output fields and the tables of their sandboxes. The engine compiles a saved
 * query for each, in the thread that compiles calls, so a token describes one at a time.
 */
import type { DescribedEndpoint } from '#contract/queries/description';
import type { DescribeRequest } from '../../engine/protocol/messages';
import type { KeyedCall } from '../router';

type Caller = Pick<KeyedCall, 'ctx' | 'principal'>;

const MAX_WAIT_MS = 10_000;

/** @throws ServiceError `concurrency_limited`, `overloaded`; `definition_invalid` of the engine */
export async function describeQuery(
  { ctx, principal }: Caller,
  request: DescribeRequest,
  signal: AbortSignal
): Promise<DescribedEndpoint> {
  const { tenant } = request;
  const permit = { owner: principal.tokenId, tenant, lane: 'saved', waitMs: MAX_WAIT_MS, signal } as const;
  const release = await ctx.describePermits.acquire(permit);
  return ctx.engine.call('describe', request).finally(release);
}
