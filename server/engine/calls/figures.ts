/** What an operator should see of the store. */
import type { CallHandler } from '../engine';

export const figures: CallHandler<'figures'> = async (engine) => ({ value: await engine.store.stats() });
