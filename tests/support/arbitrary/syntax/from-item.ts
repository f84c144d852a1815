/** Arbitrary items of FROM, alone and joined. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Expression } from '#compiler/ast/expressions';
import type { FromItem, JoinItem, QueryExpression } from '#compiler/ast/queries';
import { depth } from './depth';
import { alias, name, nameAfterDot, position } from './name';
import { count } from './operand';
import { arbitraryPivot, arbitraryUnpivot } from './pivot';

interface Parts {
  readonly expression: Arbitrary<Expression>;
  readonly query: Arbitrary<QueryExpression>;
  readonly joined: Arbitrary<FromItem>;
}

const tablePath = fc
  .tuple(name, fc.array(nameAfterDot, { maxLength: 1 }))
  .map(([first, rest]) => [first, ...rest] as const);
const table: Arbitrary<FromItem> = fc
  .record({ path: tablePath, alias, offset: alias })
  .map(({ path, alias: own, offset }): FromItem => {
    return { kind: 'table', path, alias: own, offset: path.length > 1 ? offset : null, position };
  });

const sampled: Arbitrary<FromItem> = fc
  .record({
    input: fc.record({ name, alias }),
    method: fc.constantFrom('BERNOULLI' as const, 'SYSTEM' as const, 'RESERVOIR' as const),
    size: count,
    unit: fc.constantFrom('PERCENT' as const, 'ROWS' as const),
  })
  .map(({ input, ...sample }): FromItem => {
    const table = { kind: 'table', path: [input.name], alias: input.alias, offset: null, position } as const;
    return { kind: 'sampled', input: table, ...sample, position };
  });

export function arbitraryFrom({ expression, query, joined }: Parts): Arbitrary<FromItem> {
  const unnest: Arbitrary<FromItem> = fc
    .record({ array: expression, alias, offset: alias })
    .map((values): FromItem => ({ kind: 'unnest', ...values, position }));
  return fc.oneof(
    depth,
    table,
    unnest,
    sampled,
    arbitraryPivot(table, expression),
    arbitraryUnpivot(table),
    fc.record({ query, alias }).map((derived): FromItem => ({ kind: 'derived', ...derived, position })),
    joined
      // A query alone in two pairs of parentheses is a query in parentheses.
      .filter((inner) => inner.kind !== 'derived' || inner.alias !== null)
      .map((inner): FromItem => ({ kind: 'parenthesized', item: inner, position }))
  );
}

export function arbitraryJoined({
  expression,
  query,
  from,
  joined,
}: Parts & { readonly from: Arbitrary<FromItem> }): Arbitrary<FromItem> {
  const lateral = fc.record({ query, alias }).map((rows): FromItem => ({ kind: 'lateral', ...rows, position }));
  return fc.oneof(
    depth,
    from,
    fc
      .record({
        join: fc.constantFrom('CROSS' as const, 'INNER' as const, 'LEFT' as const, 'RIGHT' as const, 'FULL' as const),
        comma: fc.boolean(),
        left: joined,
        right: fc.oneof({ arbitrary: from, weight: 6 }, lateral),
        on: expression,
        using: fc.array(name, { minLength: 1, maxLength: 2 }),
        condition: fc.constantFrom('on', 'using', 'none'),
      })
      .map(({ join, comma, left, right, on, using, condition }): JoinItem => {
        const plain = {
          kind: 'join' as const,
          join,
          comma: join === 'CROSS' && comma,
          left,
          right,
          on: null,
          using: [],
          position,
        };
        if (join === 'CROSS' || (condition === 'none' && right.kind === 'unnest')) return plain;
        return condition === 'using' ? { ...plain, using } : { ...plain, on };
      })
  );
}
