/** `array[i]`, and `row[i]` of a table. */
import { ServiceError } from '#contract/errors';
import { quantileAt } from '../../../functions/aggregates/approx-quantiles';
import type { IndexExpression } from '../../../ast';
import type { Value } from '../../../functions/function';
import { constantOf } from '../../../ir/constant';
import { INT64, shortTypeName, type Type } from '../../../ir/types';
import { printField, printPath } from '../../../sql/canonical/expressions/print-name';
import { failure } from '../../failure';
import { overChoices } from '../calls/constant-choices';
import { nullOf } from '../fold-conditions';
import type { ExpressionContext } from '../expression-context';
import { jsonStep } from './json-step';
import { keyHint, memberHint, recordHint } from '../../names/nested-fields';
import { sameName, type Scope } from '../../names/scope';
import { valueOf } from './value-of';
import { callOf, isAggregate } from '../../../ir/operations/call';

export function resolveIndex(r: ExpressionContext, expression: IndexExpression): Value {
  const row = rowPosition(r, expression);
  if (row) return row;
  const base = resolveBase(r, expression);
  if (base.type.kind === 'JSON') {
    return overChoices(r, [expression.index], [], () => jsonElement(r, base, expression));
  }
  const given = r.resolve(expression.index);
  const key = constantOf(given.expr)?.value;
  if (base.type.kind === 'SINGLE' && typeof key === 'string') {
    throw failure('type_mismatch', 'an array index expects INT64, found STRING', given.position, {
      hint: recordHint({ name: key }),
    });
  }
  if (isRecord(base.type) && typeof key === 'string') {
    throw failure('type_mismatch', `a ${shortTypeName(base.type)} has no keys`, given.position, {
      hint: `write ${printField({ name: key.replaceAll('-', '_'), quoted: false })} for a field of the record`,
    });
  }
  if (base.type.kind === 'STRING') {
    throw failure('type_mismatch', 'a STRING has no elements', expression.base.position, {
      hint:
        typeof key === 'string'
          ? memberHint(expression.base.kind === 'path' ? printPath(expression.base.parts) : '...', [key])
          : 'write SUBSTR(x, position, 1) for a character, SPLIT(x, separator)[OFFSET(0)] for a part',
    });
  }
  if (given.type.kind === 'FLOAT64' && typeof key === 'number') {
    throw failure('type_mismatch', 'an array index expects INT64, found FLOAT64', given.position, {
      hint: isAggregate(base.expr, 'approx_quantiles')
        ? 'the index counts parts: APPROX_QUANTILES(x, 100)[OFFSET(95)]'
        : 'elements are counted from 0, as in [OFFSET(0)]',
    });
  }
  const index = r.coerce(given, INT64, 'an array index');
  const start = expression.mode === 'ordinal' || expression.mode === 'safe_ordinal' ? 1 : 0;
  if (isAggregate(base.expr, 'approx_quantiles')) {
    return { ...quantileAt(base.expr, index, start, r), position: expression.position };
  }
  if (base.type.kind === 'SINGLE') {
    const constant = constantOf(index.expr);
    if (constant === undefined) {
      throw failure('not_supported', 'an index that is not constant is not supported here', expression.index.position, {
        hint: 'open the array with CROSS JOIN UNNEST(...) AS x',
        name: 'index',
      });
    }
    const type: Type = { kind: 'RECORD', shape: base.type.shape };
    const there = constant.value !== null && Number(constant.value) === start;
    return valueOf(there ? { ...base.expr, type } : nullOf(type), type, expression.position);
  }
  if (base.type.kind !== 'ARRAY') {
    throw failure('type_mismatch', `a ${shortTypeName(base.type)} has no elements`, expression.base.position, {
      ...(isRecord(base.type) && { hint: 'it is one record, not an array: leave out the index' }),
    });
  }
  const { element } = base.type;
  const picked = callOf('list_index', [r.materialize(base), index.expr], element, { base: start });
  // Both forms give NULL; IFERROR takes an index outside for a failure.
  const isSafe = expression.mode === 'safe_offset' || expression.mode === 'safe_ordinal';
  return valueOf(isSafe ? { ...picked, safe: true } : picked, element, expression.position);
}

function isRecord({ kind }: Type): boolean {
  return kind === 'RECORD' || kind === 'STRUCT';
}

/**
 * Other stores of logs have the fields of an event in a map, as in `log_attributes['request.path']`.
 * @throws unknown_column, with the field of that key as its hint
 */
function resolveBase(r: ExpressionContext, { base, index }: IndexExpression): Value {
  try {
    return r.resolve(base);
  } catch (error) {
    if (base.kind !== 'path' || index.kind !== 'literal' || index.literal.type !== 'string') throw error;
    if (!(error instanceof ServiceError) || error.details.reason !== 'unknown_column') throw error;
    const hint = keyHint(r.scope.readableColumns(), index.literal.value, index.position);
    throw hint === undefined ? error : new ServiceError(error.code, error.message, { ...error.details, hint });
  }
}

function jsonElement(r: ExpressionContext, base: Value, { index, mode, position }: IndexExpression): Value {
  const value = r.resolve(index);
  const constant = constantOf(value.expr)?.value;
  const step = value.text === null && typeof constant === 'bigint' ? Number(constant) : constant;
  const isIndex = typeof step === 'number' && step >= 0 && step < 1_000_000;
  if (mode !== 'plain' || !(isIndex || (typeof step === 'string' && value.text === 'literal'))) {
    throw failure(
      'not_constant',
      'an index of JSON must be a constant key, or a constant position from 0',
      index.position,
      {
        hint: "write j['key'] or j[0]",
      }
    );
  }
  const read = jsonStep({ ...base, expr: r.materialize(base) }, step, position);
  return { ...read, expr: r.guarded(read.expr) };
}

/** `x[0]` where x is a range variable of a table: the row's first column. */
function rowPosition(r: ExpressionContext, expression: IndexExpression): Value | undefined {
  if (expression.base.kind !== 'path' || expression.base.parts.length !== 1) return undefined;
  const name = expression.base.parts[0].name;
  if (r.parameter(name) !== undefined || r.place.aliases?.has(name)) return undefined;
  for (let scope: Scope | null = r.scope; scope; scope = scope.parent) {
    const variable = scope.variable(name);
    if (variable === undefined && !scope.variables.some((v) => v.columns.some((c) => sameName(c.name, name)))) continue;
    if (variable?.kind !== 'table') return undefined;
    const index = constantOf(r.resolve(expression.index).expr)?.value;
    const start = expression.mode === 'ordinal' || expression.mode === 'safe_ordinal' ? 1 : 0;
    const column = typeof index === 'bigint' ? Number(index) - start : -1;
    if (variable.columns[column] === undefined) {
      throw failure('unknown_column', `"${name}" has no column at this position`, expression.index.position);
    }
    const value = variable.column(column, { display: variable.columns[column].name, position: expression.position });
    if (scope !== r.scope) scope.readFromInside.push({ value, subquery: null });
    return value;
  }
  return undefined;
}
