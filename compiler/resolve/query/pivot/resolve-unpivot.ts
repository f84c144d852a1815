/**
 * Resolves UNPIVOT to a block that reads each row of the input once for each entry of IN, with the columns of that
 * entry as its values.
 */
import type { Expression, UnpivotClause } from '../../../ast';
import type { Value } from '../../../functions/function';
import { callOf } from '../../../ir/operations/call';
import type { Expr } from '../../../ir/expression';
import { arrayOf, BOOL, INT64, isScalar, shortTypeName, STRING, typeName } from '../../../ir/types';
import { failure } from '../../failure';
import { ListRelation } from '../../relations/list-relation';
import type { Piece } from '../from/from-piece';
import { OperatorInput, type OperatorPlace } from '../operator-input';
import { plainBlock } from '../select/plain-block';
import type { ResolvedSelect } from '../select/resolved-select';
import type { SelectColumn } from '../resolved-query';
import { itemAt, mapItems, type NonEmpty } from '../../../items';

/** @throws wrong_arguments, type_mismatch */
export function resolveUnpivot(clause: UnpivotClause, input: Piece, place: OperatorPlace): ResolvedSelect {
  const { resolution } = place;
  const { position } = clause;
  const table = new OperatorInput(input, place);
  const entry = numbers(clause, place);
  const values = mapItems(clause.values, ({ name }, index) => ({
    name,
    value: valueColumn(
      mapItems(clause.columns, ({ paths }) => itemAt(paths, index)),
      entry.number,
      table
    ),
  }));
  ensureDifferent(clause);
  const label: SelectColumn = { name: clause.name.name, value: labels(clause, entry.number, table) };
  const columns = [...table.otherColumns(position), ...values, label];
  const present = mapItems(values, ({ value }) => callOf('is_not_null', [value.expr], BOOL));
  const some = present.length === 1 ? present[0] : callOf('or', present, BOOL);
  const from = entry.plan;
  return plainBlock(
    resolution,
    {
      from: input.plan === null ? from : { kind: 'join', join: 'CROSS', left: input.plan, right: from, on: [] },
      where: clause.includeNulls ? [...input.conditions] : [...input.conditions, some],
    },
    columns
  );
}

/** A table of the numbers of the entries. */
function numbers({ columns, position }: UnpivotClause, { resolution }: OperatorPlace) {
  const items = columns.map((_, index): Expr => ({ kind: 'literal', type: INT64, value: BigInt(index) }));
  const list: Expr = { kind: 'array', items, type: arrayOf(INT64) };
  const item = { name: '', list, element: INT64, withOffset: null, lateral: false };
  const relation = resolution.register((id) => new ListRelation(id, item, null));
  return { plan: relation.plan, number: relation.demand(0, [], 'value', { display: 'number', position }) };
}

function valueColumn(paths: NonEmpty<Expression>, number: Expr, table: OperatorInput): Value {
  const resolver = table.expressions('UNPIVOT', false);
  const values = mapItems(paths, (path) => resolver.resolve(path));
  const [first] = values;
  const typed = values.find(({ type }) => type.kind !== 'NULL') ?? first;
  const other = values.find(({ type }) => type.kind !== 'NULL' && typeName(type) !== typeName(typed.type));
  if (other !== undefined) {
    throw failure(
      'type_mismatch',
      `the columns of UNPIVOT must have one type, found ${shortTypeName(typed.type)} and ${shortTypeName(other.type)}`,
      other.position,
      { hint: 'convert them with CAST in a subquery' }
    );
  }
  if (!isScalar(typed.type) && typed.type.kind !== 'ARRAY') {
    throw failure('type_mismatch', `UNPIVOT does not work on ${shortTypeName(typed.type)}`, typed.position, {
      hint: 'select the fields of the record in a subquery',
    });
  }
  const type = typed.type.kind === 'NULL' ? INT64 : typed.type;
  const chosen = values.map((value) => resolver.materialize(resolver.coerce(value, type, 'UNPIVOT')));
  return { expr: choose(number, chosen), type, text: null, position: first.position };
}

function labels({ columns, position }: UnpivotClause, number: Expr, table: OperatorInput): Value {
  const resolver = table.expressions('UNPIVOT', false);
  const values = mapItems(columns, ({ paths, label }): Value => {
    if (label !== null) return resolver.resolve(label);
    const value = paths.map(({ parts }) => parts.at(-1)?.name ?? '').join('_');
    return { expr: { kind: 'literal', type: STRING, value }, type: STRING, text: null, position };
  });
  const [first] = values;
  const other = values.find(({ type }) => type.kind !== first.type.kind);
  if (other !== undefined) {
    throw failure('type_mismatch', 'the labels of UNPIVOT must be all texts or all whole numbers', other.position);
  }
  return {
    expr: choose(
      number,
      values.map(({ expr }) => expr)
    ),
    type: first.type,
    text: null,
    position,
  };
}

function choose(number: Expr, values: readonly Expr[]): Expr {
  const first = itemAt(values, 0);
  const branches = values.map((then, index) => ({
    when: callOf('eq', [number, { kind: 'literal', type: INT64, value: BigInt(index) }], BOOL),
    then,
  }));
  return { kind: 'case', branches, otherwise: null, type: first.type };
}

function ensureDifferent({ columns }: UnpivotClause): void {
  const seen = new Set<string>();
  for (const { parts, position } of columns.flatMap(({ paths }) => paths)) {
    const name = (parts.at(-1)?.name ?? '').toLowerCase();
    if (seen.has(name))
      throw failure('duplicate_column', `UNPIVOT names the column "${name}" twice`, position, { name });
    seen.add(name);
  }
}
