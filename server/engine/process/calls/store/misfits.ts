/** Values that fields cannot hold. */
import type { CallHandler } from '../../engine';

export const misfits: CallHandler<'misfits'> = (engine) => Promise.resolve({ value: engine.store.misfits() });
