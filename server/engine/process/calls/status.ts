/** Status of the open engine. */
import type { CallHandler, Engine } from '../engine';
import type { EngineStatus } from '../../protocol/messages';

export const status: CallHandler<'status'> = async (engine) => ({ value: await statusOf(engine) });

export async function statusOf(engine: Engine): Promise<EngineStatus> {
  const [empty, health] = await Promise.all([engine.store.isEmpty(), engine.store.health()]);
  return { empty, ...health, running: engine.runPermits.running, rssBytes: process.memoryUsage.rss() };
}
