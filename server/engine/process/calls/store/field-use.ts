/** Nested fields and columns that sources use of those that they may have. */
import type { CallHandler } from '../../engine';

export const fieldUse: CallHandler<'fieldUse'> = (engine) => Promise.resolve({ value: engine.store.fieldUse() });
