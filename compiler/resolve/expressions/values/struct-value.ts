/** Struct values of named fields. */
import type { SourcePosition, StructExpression, TupleExpression, TypeName } from '../../../ast';
import type { Value } from '../../../functions/function';
import type { Expr } from '../../../ir/expression';
import { unnamedField, type Type, structFields } from '../../../ir/types';
import { failure } from '../../failure';
import { castType } from '../../types/cast-types';
import type { ExpressionContext } from '../expression-context';
import { itemAt } from '../../../items';

export function resolveStruct(r: ExpressionContext, expression: StructExpression): Value {
  if (expression.type !== null) return typedStruct(r, expression, expression.type);
  const fields = expression.fields.map((field, index) => {
    const value = r.resolve(field.value);
    const implied = field.value.kind === 'path' ? field.value.parts.at(-1)?.name : undefined;
    return { name: field.name?.name ?? implied ?? unnamedField(index), value };
  });
  return structOf(fields, expression.position);
}

/** `(a, b)`: its fields have no names of their own. */
export function resolveTuple(r: ExpressionContext, { items, position }: TupleExpression): Value {
  const fields = items.map((item, index) => ({ name: unnamedField(index), value: r.resolve(item) }));
  return structOf(fields, position);
}

/** `STRUCT<a INT64, STRING>(1, 'x')` */
function typedStruct(r: ExpressionContext, { fields, position }: StructExpression, written: TypeName): Value {
  const types = structFields(castType(written));
  const named = fields.find(({ name }) => name !== null)?.name;
  if (named) {
    throw failure('wrong_arguments', 'a STRUCT with types takes no names behind AS', named.position, {
      hint: `write the name in the type: STRUCT<${named.name} ...>`,
    });
  }
  if (fields.length !== types.length) {
    const found = `the type has ${types.length} fields, but ${fields.length} values are given`;
    throw failure('wrong_arguments', found, position);
  }
  return structOf(
    types.map((field, index) => {
      const value = r.resolve(itemAt(fields, index).value);
      const converted = r.coerce({ ...value, expr: r.materialize(value) }, field.type, `field ${index + 1} of STRUCT`);
      return { name: field.name, value: { ...converted, text: null } };
    }),
    position
  );
}

/** A struct value of named fields, which can be read without building the struct. */
export function structOf(
  fields: readonly { readonly name: string; readonly value: Value }[],
  position: SourcePosition
): Value {
  const type: Type = { kind: 'STRUCT', fields: fields.map(({ name, value }) => ({ name, type: value.type })) };
  const expr: Expr = { kind: 'struct', fields: fields.map(({ name, value }) => ({ name, expr: value.expr })), type };
  return { expr, type, text: null, position, fields: fields.map(({ value }) => value) };
}
