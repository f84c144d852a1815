/**
 * Arbitrary syntax trees, each of a shape that the parser can give: what the grammar rules out (a WHERE without FROM, a
 * join condition on CROSS JOIN, ...) is not made.
 */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Expression } from '#compiler/ast/expressions';
import type {
  ColumnMatch,
  CommonTable,
  FromItem,
  GroupBy,
  LimitClause,
  NamedWindow,
  QueryBody,
  QueryExpression,
  SelectBody,
} from '#compiler/ast/queries';
import type { PipeStep } from '#compiler/ast/pipes';
import { depth, few, optional, several } from './depth';
import { arbitraryExpression, arbitraryOrderBy, arbitraryWindow } from './expression';
import { arbitraryFrom, arbitraryJoined } from './from-item';
import { arbitraryGroupingSets } from './grouping-sets';
import { name, position } from './name';
import { arbitraryStep } from './pipe-step';
import { count } from './operand';
import { arbitraryItem } from './select-item';

// A type and not an interface, because fast-check wants an index signature.
type Trees = {
  expression: Expression;
  query: QueryExpression;
  body: QueryBody;
  select: SelectBody;
  from: FromItem;
  joined: FromItem;
  tables: readonly CommonTable[];
  step: PipeStep;
};

const trees = fc.letrec<Trees>((tie) => {
  const expression = tie('expression');
  const query = tie('query');
  const expressions = (minLength: number) => fc.array(expression, { minLength, maxLength: minLength + 1 });
  const orderBy = arbitraryOrderBy(expression);
  const limit: Arbitrary<LimitClause | null> = fc.option(
    fc
      .record({ count, offset: fc.option(count, { nil: null }) })
      .map((clause): LimitClause => ({ kind: 'limit', ...clause, position })),
    { nil: null }
  );

  const item = arbitraryItem(expression);
  const groupBy: Arbitrary<GroupBy | null> = optional(
    fc.oneof(
      fc.constant<GroupBy>({ kind: 'all', position }),
      expressions(1).map((items): GroupBy => ({ kind: 'items', items })),
      arbitraryGroupingSets(expression).map((items): GroupBy => ({ kind: 'sets', items }))
    )
  );
  const columnMatch: Arbitrary<ColumnMatch> = fc.record({
    mode: fc.constantFrom('STRICT' as const, 'INNER' as const, 'LEFT' as const, 'FULL' as const),
    columns: fc.array(name, { maxLength: 2 }),
  });

  return {
    expression: arbitraryExpression(expression, query),
    query: fc.record({ with: tie('tables'), body: tie('body'), orderBy, limit }).chain((values) =>
      fc.boolean().map((isRecursive): QueryExpression => {
        const recursive = isRecursive && values.with.length > 0 ? ({ recursive: true } as const) : {};
        const { kind } = values.body;
        const tail = kind === 'from' || kind === 'pipe' ? { orderBy: [], limit: null } : {};
        return { kind: 'query', ...values, ...tail, ...recursive, position };
      })
    ),
    tables: fc.oneof(
      depth,
      { arbitrary: fc.constant([]), weight: 4 },
      fc
        .record({ name, query })
        .map((table): CommonTable => ({ kind: 'common-table', ...table, position }))
        .map((table) => [table])
    ),
    body: fc.oneof(
      depth,
      { arbitrary: tie('select'), weight: 4 },
      query,
      fc
        .record({
          operator: fc.constantFrom(
            'UNION ALL' as const,
            'UNION DISTINCT' as const,
            'INTERSECT DISTINCT' as const,
            'EXCEPT ALL' as const
          ),
          match: optional(columnMatch),
          branches: several(fc.oneof(tie('select'), query), { min: 2, max: 3 }),
        })
        .map((operation): QueryBody => ({ kind: 'set-operation', ...operation, position })),
      tie('joined').map((from): QueryBody => ({ kind: 'from', from, position })),
      fc
        .record({
          source: fc.oneof(
            tie('select'),
            query,
            tie('joined').map((from): QueryBody => ({ kind: 'from', from, position }))
          ),
          steps: fc.array(tie('step'), { minLength: 1, maxLength: 3 }),
        })
        .map((pipe): QueryBody => ({ kind: 'pipe', ...pipe, position }))
    ),
    step: arbitraryStep({ expression, query, item, joined: tie('from') }),
    select: fc
      .record({
        distinct: fc.boolean(),
        as: fc.constantFrom(null, 'STRUCT' as const, 'VALUE' as const),
        items: fc.array(item, { minLength: 1, maxLength: 2 }),
        from: optional(tie('joined')),
        where: optional(expression),
        groupBy,
        having: optional(expression),
        qualify: optional(expression),
        windows: few(
          fc
            .record({ name, window: arbitraryWindow(expression) })
            .map((named): NamedWindow => ({ kind: 'named-window', ...named, position }))
        ),
      })
      .map((select): SelectBody =>
        select.from === null
          ? {
              kind: 'select',
              ...select,
              where: null,
              groupBy: null,
              having: null,
              qualify: null,
              windows: [],
              position,
            }
          : { kind: 'select', ...select, position }
      ),
    from: arbitraryFrom({ expression, query, joined: tie('joined') }),
    joined: arbitraryJoined({ expression, query, from: tie('from'), joined: tie('joined') }),
  };
});

export const arbitraryQuery: Arbitrary<QueryExpression> = trees.query;
