/** Drops events older than the retention of their source. */
import type { CallHandler } from '../../engine';

export const retention: CallHandler<'retention'> = async (engine, { request }) => ({
  value: { dropped: await engine.store.enforceRetention(request.nowMicros) },
});
