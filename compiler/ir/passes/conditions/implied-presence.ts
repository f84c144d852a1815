/**
 * Conditions that a record is present, where another condition holds only for a field of that record. Without them a
 * store reads one column less.
 */
import { isCall } from '../../operations/call';
import type { ColumnExpr, Expr } from '../../expression';
import type { OpName } from '../../operations/ops';
import type { FromPlan, ScanInput } from '../../plan';
import { relationOf } from '../relation-of';

/** Operations that are NULL where any operand is. */
const STRICT: ReadonlySet<OpName> = new Set<OpName>([
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'not',
  'like',
  'contains',
  'starts_with',
  'ends_with',
  'regexp_contains',
  'lower',
  'upper',
  'length',
  'strpos',
]);
/** Operations that are NULL where the first operand is. */
const STRICT_IN_FIRST: ReadonlySet<OpName> = new Set<OpName>(['between', 'in_list']);

/** The conditions of a block without those that follow from others. */
export function withoutImplied(conditions: readonly Expr[], from: FromPlan | null): Expr[] {
  if (from === null || conditions.length < 2) return [...conditions];
  const needs = conditions.map((condition) => neededBy(condition).map((column) => origin(column, from)));
  return conditions.filter((condition, index) => {
    if (condition.kind !== 'column') return true;
    const there = origin(condition, from);
    const fields = there?.scan.presences.get(there.name);
    if (there === undefined || fields === undefined) return true;
    const isOfRecord = (column: Origin | undefined): boolean =>
      column !== undefined && column.place === there.place && fields.has(column.name);
    return !needs.some((columns, other) => other !== index && columns.some(isOfRecord));
  });
}

/** Columns that are not NULL where a condition is true. */
function neededBy(condition: Expr): readonly ColumnExpr[] {
  if (isCall(condition, 'and', 'is_true')) return condition.args.flatMap(neededBy);
  if (isCall(condition, 'is_not_null')) return condition.args.flatMap(neededFor);
  return neededFor(condition);
}

/** Columns that are not NULL where a value is not. */
function neededFor(expr: Expr): readonly ColumnExpr[] {
  if (expr.kind === 'column') return [expr];
  if (expr.kind === 'cast') return neededFor(expr.operand);
  if (expr.kind !== 'call') return [];
  if (STRICT.has(expr.fn)) return expr.args.flatMap(neededFor);
  return STRICT_IN_FIRST.has(expr.fn) ? expr.args.slice(0, 1).flatMap(neededFor) : [];
}

/** A physical column of a source. */
interface Origin {
  readonly scan: ScanInput;
  readonly name: string;
  /** The FROM items between the block and the source: equal for columns of the same row. */
  readonly place: string;
}

function origin({ relation: id, name }: ColumnExpr, from: FromPlan, above = ''): Origin | undefined {
  const relation = relationOf(id, from);
  if (relation === undefined || relation.unnests.some(({ element, offset }) => element === name || offset === name)) {
    return undefined;
  }
  const { input } = relation;
  const place = `${above} ${id}`;
  if (input.kind === 'scan') return { scan: input, name, place };
  if (input.kind !== 'derived' && input.kind !== 'common-table') return undefined;
  if (input.kind === 'common-table' && input.table.recursion) return undefined;
  const { body } = input.kind === 'derived' ? input.plan : input.table.plan;
  if (body.kind !== 'select' || body.from === null) return undefined;
  const output = body.outputs.find((candidate) => candidate.name === name)?.expr;
  return output?.kind === 'column' ? origin(output, body.from, place) : undefined;
}
