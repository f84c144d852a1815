/** Arbitrary PIVOT and UNPIVOT behind a table. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Expression, LiteralExpression, PathExpression } from '#compiler/ast/expressions';
import type { FromItem } from '#compiler/ast/queries';
import { several } from './depth';
import { alias, name, nameAfterDot, position } from './name';

export function arbitraryPivot(input: Arbitrary<FromItem>, expression: Arbitrary<Expression>): Arbitrary<FromItem> {
  const named = fc.array(fc.record({ expression, alias }), { minLength: 1, maxLength: 2 });
  return fc
    .record({ input, pivot: fc.record({ aggregates: named, key: expression, values: named }), alias })
    .map(({ pivot, ...item }): FromItem => ({ kind: 'pivot', ...item, pivot: { ...pivot, position }, position }));
}

export function arbitraryUnpivot(input: Arbitrary<FromItem>): Arbitrary<FromItem> {
  const path = fc
    .tuple(name, fc.array(nameAfterDot, { maxLength: 1 }))
    .map(([first, rest]): PathExpression => ({ kind: 'path', parts: [first, ...rest], position }));
  const label = fc.option(
    fc.oneof(
      fc
        .string()
        .map((value): LiteralExpression => ({ kind: 'literal', literal: { type: 'string', value }, position })),
      fc.nat().map((value): LiteralExpression => {
        return { kind: 'literal', literal: { type: 'integer', digits: String(value) }, position };
      })
    ),
    { nil: null }
  );
  const clause = fc.integer({ min: 1, max: 2 }).chain((size) => {
    const exactly = { min: size, max: size };
    return fc.record({
      includeNulls: fc.boolean(),
      values: several(name, exactly),
      name,
      columns: several(fc.record({ paths: several(path, exactly), label }), { min: 1, max: 2 }),
    });
  });
  return fc.record({ input, unpivot: clause, alias }).map(({ unpivot, ...item }): FromItem => ({
    kind: 'unpivot',
    ...item,
    unpivot: { ...unpivot, position },
    position,
  }));
}
