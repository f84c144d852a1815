/** SELECT AS STRUCT in pipes: operators behind it read its columns, and the struct is made of the last ones. */
import type { PipeSelect, PipeStep, QueryBody } from '../../ast';
import { emptyBody, selectAll, selectsAs } from '../../ast/select';

/** Operators whose rows are still the structs that they read. */
export const KEEP_ROWS: ReadonlySet<PipeStep['kind']> = new Set<PipeStep['kind']>([
  'pipe-as',
  'pipe-distinct',
  'pipe-limit',
  'pipe-order-by',
  'pipe-sample',
  'pipe-set-operation',
  'pipe-where',
  'pipe-with',
]);

/** @param areValues whether each row of the result is one value, as in ARRAY(..) */
export function withStructsLast(
  source: QueryBody,
  steps: readonly PipeStep[],
  areValues: boolean
): readonly PipeStep[] {
  const last = steps.findLastIndex((step) => !KEEP_ROWS.has(step.kind));
  const made = steps[last];
  const makesStructs = made === undefined ? selectsAs(source, 'STRUCT') : isStructs(made);
  // Without operators behind it, fields may lack a name.
  if (areValues && isStructs(made) && !made.distinct && last === steps.length - 1) {
    return [...steps.slice(0, last).map(asColumns), made];
  }
  const columns = steps.map(asColumns);
  return areValues && makesStructs && columns.length > 0 ? [...columns, structOfAll(source)] : columns;
}

function isStructs(step: PipeStep | undefined): step is PipeSelect {
  return step?.kind === 'pipe-select' && step.as === 'STRUCT';
}

function asColumns(step: PipeStep): PipeStep {
  return isStructs(step) ? { ...step, as: null } : step;
}

export function structOfAll({ position }: Pick<QueryBody, 'position'>): PipeSelect {
  const { distinct, windows } = emptyBody(position);
  return { kind: 'pipe-select', distinct, windows, as: 'STRUCT', items: selectAll(null, position).items, position };
}
