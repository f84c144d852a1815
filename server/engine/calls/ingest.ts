/** Stores a batch of events; answered after the commit is on disk. */
import type { CallHandler } from '../engine';

export const ingest: CallHandler<'ingest'> = async (engine, { request, body }) => ({
  value: await engine.store.ingest({ source: request.source, nowMicros: request.nowMicros, body }),
});
