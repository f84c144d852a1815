/**
 * Resolves PIVOT to a grouped block: the input's other columns are its keys, and each aggregate reads, for each value,
 * the rows whose key of the pivot is that value.
 */
import type { Expression, Identifier, PivotClause } from '../../../ast';
import { lookupFunction } from '../../../functions/catalog';
import type { Value } from '../../../functions/function';
import { callOf, isConstant } from '../../../ir/operations/call';
import { some } from '../../../ir/walk/children';
import type { Expr } from '../../../ir/expression';
import { BOOL, isComparable, isNested, shortTypeName } from '../../../ir/types';
import { callIn, keepsNulls, restricted } from '../../expressions/calls/restricted-aggregate';
import { failure } from '../../failure';
import { sameness } from '../../types/equality';
import type { Piece } from '../from/from-piece';
import { OperatorInput, type OperatorPlace } from '../operator-input';
import { pivotName } from './pivot-name';
import { plainBlock } from '../select/plain-block';
import { MAX_COLUMNS } from '../select/column-limit';
import { QueryStep } from '../query-step';
import type { ResolvedSelect } from '../select/resolved-select';
import type { SelectColumn } from '../resolved-query';

/** A value of the pivot. */
interface Choice {
  readonly written: PivotClause['values'][number];
  readonly value: Expr;
  /** Whether a row has the value. */
  readonly condition: Expr;
}

/** @throws wrong_arguments, not_constant, type_mismatch, too_complex */
export function resolvePivot(clause: PivotClause, input: Piece, place: OperatorPlace): ResolvedSelect {
  const { resolution } = place;
  const { position } = clause;
  const table = new OperatorInput(input, place);
  const aggregates = clause.aggregates.map(({ expression, alias }) => ({
    prefix: prefixOf(alias, expression, clause),
    value: aggregateOf(expression, table),
  }));
  const key = table.expressions('PIVOT', false).resolve(clause.key);
  if (!isComparable(key.type)) {
    throw failure('type_mismatch', `PIVOT cannot compare ${shortTypeName(key.type)} values`, clause.key.position);
  }
  const rows = new QueryStep(
    resolution,
    { from: input.plan, where: input.conditions, groupBy: null, groupingSets: null, having: null },
    position
  );
  const keyColumn = rows.column(key.expr);
  const choices = clause.values.map((value) => choiceOf(value, key, keyColumn, table));
  const groups = table.otherColumns(position).map((column) => groupOf(column, rows));
  if (groups.length + choices.length * aggregates.length > MAX_COLUMNS) {
    throw failure('too_complex', `PIVOT makes more than ${MAX_COLUMNS} columns`, position, { maximum: MAX_COLUMNS });
  }
  const values = choices.flatMap((choice) =>
    aggregates.map(({ prefix, value }) => ({
      name: pivotName(choice.value, choice.written, prefix),
      value: {
        ...value,
        expr: restricted(value.expr, choice.condition, (part) => (isConstant(part) ? part : rows.column(part))),
      },
    }))
  );
  return plainBlock(resolution, { from: rows.from, groupBy: groups.map(({ value }) => value.expr) }, [
    ...groups,
    ...values,
  ]);
}

function prefixOf(alias: Identifier | null, { position }: Expression, { aggregates }: PivotClause): string | null {
  if (alias !== null) return alias.name;
  if (aggregates.length === 1) return null;
  throw failure('wrong_arguments', 'each of several aggregates of PIVOT needs a name', position, {
    hint: 'write PIVOT(SUM(x) AS a, COUNT(*) AS b FOR ...)',
  });
}

function aggregateOf(expression: Expression, table: OperatorInput): Value {
  const isAggregate =
    expression.kind === 'call' &&
    lookupFunction(expression.name)?.kind === 'aggregate' &&
    expression.name !== 'GROUPING' &&
    expression.over === null;
  if (!isAggregate) {
    throw failure('wrong_arguments', 'PIVOT takes a call of an aggregate function here', expression.position, {
      hint: 'compute with the columns of PIVOT in the SELECT around it',
    });
  }
  const value = table.expressions('PIVOT', true).resolve(expression);
  const call = callIn(value.expr);
  if (call === undefined || keepsNulls(call)) {
    throw failure('wrong_arguments', `${expression.name} in PIVOT must leave out NULL`, expression.position, {
      hint: expression.name === 'ARRAY_AGG' ? 'write ARRAY_AGG(x IGNORE NULLS)' : undefined,
    });
  }
  return value;
}

function choiceOf(written: PivotClause['values'][number], key: Value, keyColumn: Expr, table: OperatorInput): Choice {
  const { expression } = written;
  const resolver = table.expressions('PIVOT', false);
  const chosen = resolver.coerce(resolver.resolve(expression), key.type, 'a value of PIVOT');
  const { expr: value } = chosen;
  if (some(value, readsRows)) {
    throw failure('not_constant', 'the values of PIVOT must be constants', expression.position);
  }
  const condition = isNested(key.type)
    ? sameness({ ...key, expr: keyColumn }, chosen, expression.position)
    : callOf('is_not_distinct', [keyColumn, value], BOOL);
  return { written, value, condition };
}

function readsRows({ kind }: Expr): boolean {
  return kind === 'column' || kind === 'lazy-record' || kind === 'subquery' || kind === 'in-subquery';
}

function groupOf({ name, value }: SelectColumn, rows: QueryStep): SelectColumn {
  if (isComparable(value.type)) return { name, value: { ...value, expr: rows.column(value.expr) } };
  throw failure(
    'type_mismatch',
    `PIVOT groups by all other columns, but cannot group by "${name}", which is ${shortTypeName(value.type)}`,
    value.position,
    { name, hint: 'select the columns that PIVOT needs in a subquery: FROM (SELECT a, b FROM ...) PIVOT (...)' }
  );
}
