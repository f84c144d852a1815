/** A relation of one row without columns. */
import { TRUE } from '../expressions/fold-conditions';
import type { Resolution } from '../resolution';
import type { Relation } from './relation';

export function withoutColumns(resolution: Resolution): Relation {
  return resolution.register((id): Relation => ({
    id,
    plan: { kind: 'relation', id, input: { kind: 'single-row' }, unnests: [] },
    columns: [],
    demand: () => TRUE,
    alwaysPresent: () => false,
    narrow: () => undefined,
  }));
}
