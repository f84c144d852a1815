/** Drops what is older than its source keeps. */
import type { CallHandler } from '../engine';

export const retention: CallHandler<'retention'> = async (engine, { request }) => ({
  value: { dropped: await engine.store.enforceRetention(request.nowMicros) },
});
