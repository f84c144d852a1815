/** Compiles a definition for the current schema. */
import type { SavedQuery } from '#contract/queries/saved-query';
import type { LogStore } from '../../../../stores/store';
import type { Compiler } from '../../context';
import { redactionOf } from './redaction-of';

interface Parts {
  readonly compiler: Compiler;
  readonly store: LogStore;
}

/** @throws ServiceError of the compiler */
export function ensureCompiles({ compiler, store }: Parts, definition: SavedQuery): void {
  compiler.validateDefinition(definition, store.catalog(), redactionOf(definition, false), null);
}
