/** Stats of the store for operators. */
import type { CallHandler } from '../../engine';

export const stats: CallHandler<'stats'> = async (engine) => ({ value: await engine.store.stats() });
