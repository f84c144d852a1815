/** Arbitrary types as written in CAST, ARRAY<..> and STRUCT<..>. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { TypeName } from '#compiler/ast/type-name';
import { bare, name, position } from './name';

const scalarType: Arbitrary<TypeName> = bare('STRING INT64 FLOAT64 BOOL TIMESTAMP DATETIME DATE INT'.split(' '));

const { structType, arrayType, typeName } = fc.letrec<{
  structType: TypeName;
  arrayType: TypeName;
  typeName: TypeName;
}>((tie) => ({
  arrayType: tie('typeName').map((type) => ({
    name: 'ARRAY',
    quoted: false,
    parts: [{ name: null, type }],
    position,
  })),
  structType: fc
    .array(fc.record({ name: fc.option(name, { nil: null }), type: tie('typeName') }), { minLength: 1, maxLength: 2 })
    .map((parts) => ({ name: 'STRUCT', quoted: false, parts, position })),
  typeName: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: scalarType, weight: 3 },
    tie('arrayType'),
    tie('structType')
  ),
}));

export { arrayType, structType, typeName };
