/** Struct values of named fields. */
import type { SourcePosition, StructExpression } from '../../ast';
import type { Value } from '../../functions/function';
import type { Expr } from '../../ir/expression';
import type { Type } from '../../ir/types';
import type { ExpressionResolver } from './resolve-expression';

export function resolveStruct(r: ExpressionResolver, expression: StructExpression): Value {
  const fields = expression.fields.map((field, index) => {
    const value = r.resolve(field.value);
    const implied = field.value.kind === 'path' ? field.value.parts.at(-1)?.name : undefined;
    return { name: field.name?.name ?? implied ?? `_field_${index + 1}`, value };
  });
  return structOf(fields, expression.position);
}

/** A struct value of named fields, which can be read without building the struct. */
export function structOf(
  fields: readonly { readonly name: string; readonly value: Value }[],
  position: SourcePosition
): Value {
  const type: Type = { kind: 'STRUCT', fields: fields.map(({ name, value }) => ({ name, type: value.type })) };
  const expr: Expr = { kind: 'struct', fields: fields.map(({ name, value }) => ({ name, expr: value.expr })), type };
  return { expr, type, text: null, position };
}
