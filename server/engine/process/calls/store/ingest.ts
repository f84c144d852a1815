/** Stores a batch of events; replies when it is on disk. */
import type { CallHandler } from '../../engine';

export const ingest: CallHandler<'ingest'> = async (engine, { request, body }) => ({
  value: await engine.store.ingest({ ...request, body }),
});
