/** Compiles a definition for the current schema. */
import type { SavedQuery } from '#contract/saved-query';
import type { Engine } from '../engine';
import { redactionOf } from './redaction-of';

/** @throws ServiceError of the compiler */
export function ensureCompiles({ compiler, store }: Pick<Engine, 'compiler' | 'store'>, definition: SavedQuery): void {
  compiler.validateDefinition(definition, store.catalog(), redactionOf(definition, false), null);
}
