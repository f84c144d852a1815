/** Arbitrary items of GROUP BY with at least one of ROLLUP, CUBE, GROUPING SETS. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Expression } from '#compiler/ast/expressions';
import type { GroupingItem } from '#compiler/ast/queries';
import { position } from './name';

export function arbitraryGroupingSets(expression: Arbitrary<Expression>): Arbitrary<readonly GroupingItem[]> {
  const items = fc.array(expression, { minLength: 1, maxLength: 2 });
  const plain = expression.map((one): GroupingItem => ({ kind: 'expression', expression: one }));
  const several = fc
    .record({ kind: fc.constantFrom('rollup' as const, 'cube' as const), items })
    .map((item): GroupingItem => ({ ...item, position }));
  const empty = fc.constant<GroupingItem>({ kind: 'empty', position });
  const sets = fc
    .array(fc.oneof(plain, several, empty), { minLength: 1, maxLength: 2 })
    .map((inner): GroupingItem => ({ kind: 'grouping-sets', items: inner, position }));
  return fc.oneof(
    fc.tuple(empty),
    fc.tuple(fc.oneof(several, sets), fc.array(plain, { maxLength: 1 })).map(([first, rest]) => [first, ...rest])
  );
}
