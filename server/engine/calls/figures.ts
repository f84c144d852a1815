/** Stats of the store for operators. */
import type { CallHandler } from '../engine';

export const figures: CallHandler<'figures'> = async (engine) => ({ value: await engine.store.stats() });
