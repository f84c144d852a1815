/**
 * Prints a FROM clause as an array, for queries inside array functions, where outer rows can be read like any
 * expression.
 */
import { outerReads, readsOf, relationsOf } from '../../../ir/passes/correlation/correlation';
import type { Expr } from '../../../ir/expression';
import type { FromPlan, JoinPlan, QueryPlan, RelationPlan } from '../../../ir/plan';
import { materializedRows } from './materialize';
import { castRows, filtered, elementOf, recordType, type ArrayContext, type ArrayRows } from './row';
import { quoteIdentifier } from '../values/literals';
import { isVolatile } from '../random';
import { listRecords, listRecordType } from '../relations';

/** Rows of a FROM clause that satisfy all conditions. */
export function arrayOfFrom(from: FromPlan | null, conditions: readonly Expr[], context: ArrayContext): ArrayRows {
  if (from === null) return filtered(ONE_ROW, conditions, context.printer);
  if (readsTables(from) && outerReads(from).length === 0) return materializedRows(from, conditions, context);
  // Both sides of a join are read by each other and by conditions.
  const rest = { ...context, reads: [...context.reads, ...readsOf(from, ...conditions)], first: undefined };
  return from.kind === 'join' ? joined(from, conditions, rest) : oneRelation(from, conditions, rest);
}

const ONE_ROW: ArrayRows = { sql: '[tuple(1)]', type: 'Tuple(UInt8)', alias: 't', nameIn: () => undefined };

/** Lists can be read without a table scan. */
function readsTables(from: FromPlan): boolean {
  return from.kind === 'join' ? readsTables(from.left) || readsTables(from.right) : from.input.kind !== 'list';
}

function oneRelation(from: RelationPlan, conditions: readonly Expr[], context: ArrayContext): ArrayRows {
  const unnest = from.unnests.at(-1);
  if (unnest === undefined) return filtered(plainRelation(from, context), conditions, context.printer);
  const { list, element, offset, keepEmpty } = unnest;
  const opened: RelationPlan = {
    ...from,
    input: { kind: 'list', list, element, offset, lateral: true },
    unnests: [],
  };
  const around: RelationPlan = { ...from, unnests: from.unnests.slice(0, -1) };
  const plan: JoinPlan = { kind: 'join', join: keepEmpty ? 'LEFT' : 'CROSS', left: around, right: opened, on: [] };
  return filtered(pairs(plan, [], [], context), conditions, context.printer);
}

function plainRelation({ id, input }: RelationPlan, { printer, records }: ArrayContext): ArrayRows {
  // A list that is opened inside a relation has the relation's number, so the element name distinguishes them.
  const element = input.kind === 'list' ? input.element.replace(/\W/g, '') : '';
  const alias = `${printer.relationAlias(id)}${element}`;
  const nameIn =
    (names: readonly (string | null)[]): ArrayRows['nameIn'] =>
    (row, expr) =>
      expr.kind === 'column' && expr.relation === id && names.includes(expr.name)
        ? `${row}.${quoteIdentifier(expr.name)}`
        : undefined;
  switch (input.kind) {
    case 'list': {
      const sql = listRecords(input, printer.expression(input.list));
      return { sql, type: listRecordType(input), alias, nameIn: nameIn([input.element, input.offset]) };
    }
    case 'derived': {
      const names = [...printer.columns(id)];
      const type = recordType(names.map((name) => ({ name, type: typeOfOutput(input.plan, name) })));
      return { sql: castRows(records(input.plan, names, printer), type), type, alias, nameIn: nameIn(names) };
    }
    default:
      throw new Error(`a ${input.kind} reads nothing of the rows around it`);
  }
}

function typeOfOutput({ body }: QueryPlan, name: string): Expr['type'] {
  const output = body.outputs.find((candidate) => candidate.name === name);
  if (output === undefined) throw new Error(`no output ${name}`);
  return 'expr' in output ? output.expr.type : output.type;
}

function joined(plan: JoinPlan, conditions: readonly Expr[], context: ArrayContext): ArrayRows {
  const { join, on, left, right } = plan;
  if (join === 'RIGHT') return joined({ ...plan, join: 'LEFT', left: right, right: left }, conditions, context);
  const ofRight = relationsOf(right);
  const readsRight = (expr: Expr): boolean =>
    isVolatile(expr) || readsOf(expr).some(({ column }) => ofRight.includes(column.relation));
  if (join === 'FULL') return filtered(pairs(plan, [], on, context), conditions, context.printer);
  const late = conditions.filter(readsRight);
  const early = conditions.filter((expr) => !readsRight(expr));
  if (join === 'LEFT') return filtered(pairs(plan, early, on, context), late, context.printer);
  return pairs(plan, early, [...on, ...late], context);
}

/** Pairs each left row with the matching right rows. */
function pairs(plan: JoinPlan, ofLeft: readonly Expr[], ofPair: readonly Expr[], context: ArrayContext): ArrayRows {
  const { join, left, right } = plan;
  const a = arrayOfFrom(left, ofLeft, context);
  const b = arrayOfFrom(right, ofPair, { ...context, printer: context.printer.within(elementOf(a)) });
  const type = `Tuple("l" ${a.type}, "r" ${b.type})`;
  const matches = join === 'LEFT' || join === 'FULL' ? `emptyArrayToSingle(${b.sql})` : b.sql;
  const all = `arrayFlatten(arrayMap(${a.alias} -> arrayMap(${b.alias} -> tuple(${a.alias}, ${b.alias}), ${matches}), ${a.sql}))`;
  return {
    sql: castRows(join === 'FULL' ? `arrayConcat(${all}, ${unmatched(plan, a, ofPair, context)})` : all, type),
    type,
    alias: `${a.alias}_${b.alias}`,
    nameIn: (row, expr) => b.nameIn(`${row}."r"`, expr) ?? a.nameIn(`${row}."l"`, expr),
  };
}

/** Right rows that match no left row. */
function unmatched(
  { left, right }: JoinPlan,
  { type }: ArrayRows,
  ofPair: readonly Expr[],
  context: ArrayContext
): string {
  const b = arrayOfFrom(right, [], context);
  const fitting = arrayOfFrom(left, ofPair, { ...context, printer: context.printer.within(elementOf(b)) });
  const none = `${castRows('[]', type)}[1]`;
  return `arrayMap(${b.alias} -> tuple(${none}, ${b.alias}), arrayFilter(${b.alias} -> empty(${fitting.sql}), ${b.sql}))`;
}
