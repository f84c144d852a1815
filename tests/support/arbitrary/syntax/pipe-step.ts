/** Arbitrary pipe operators over smaller expressions and queries. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Expression } from '#compiler/ast/expressions';
import type { AggregateItem, PipeGroup, PipeJoin, PipeStep } from '#compiler/ast/pipes';
import type {
  CommonTable,
  FromItem,
  LimitClause,
  NamedWindow,
  OrderItem,
  QueryExpression,
  SelectItem,
} from '#compiler/ast/queries';
import { few } from './depth';
import { arbitraryWindow } from './expression';
import { arbitraryGroupingSets } from './grouping-sets';
import { alias, name, position } from './name';
import { count } from './operand';
import { arbitraryPivot, arbitraryUnpivot } from './pivot';

export interface StepParts {
  readonly expression: Arbitrary<Expression>;
  readonly query: Arbitrary<QueryExpression>;
  readonly item: Arbitrary<SelectItem>;
  readonly joined: Arbitrary<FromItem>;
}

export function arbitraryStep(parts: StepParts): Arbitrary<PipeStep> {
  const { expression, query, joined } = parts;
  const some = <Value>(value: Arbitrary<Value>) => fc.array(value, { minLength: 1, maxLength: 2 });
  const step = <Kind extends PipeStep['kind'], Rest extends object>(kind: Kind, rest: Arbitrary<Rest>) =>
    rest.map((values) => ({ kind, ...values, position }));
  const windows = few(
    fc
      .record({ name, window: arbitraryWindow(expression) })
      .map((named): NamedWindow => ({ kind: 'named-window', ...named, position }))
  );
  const aggregate: Arbitrary<AggregateItem> = fc
    .record({
      expression,
      alias,
      order: fc.option(
        fc.record({
          direction: fc.constantFrom('ASC' as const, 'DESC' as const),
          nulls: fc.constantFrom(null, 'FIRST' as const, 'LAST' as const),
        }),
        { nil: null }
      ),
    })
    .map((item) => ({ kind: 'select-expression', ...item, position }));
  const grouping: Arbitrary<PipeGroup> = arbitraryGroupingSets(expression).chain((sets) => {
    const several = sets.flatMap((item) => (item.kind === 'expression' ? [] : [item]));
    return fc.oneof(aggregate, fc.constantFrom(...several));
  });
  const none = fc.constant<FromItem>({
    kind: 'table',
    path: [{ name: 't', quoted: false, position }],
    alias: null,
    offset: null,
    position,
  });
  const tableOperator = fc.oneof(arbitraryPivot(none, expression), arbitraryUnpivot(none)).map((item): PipeStep => {
    if (item.kind === 'pivot') return { kind: 'pipe-pivot', pivot: item.pivot, alias: item.alias, position };
    if (item.kind === 'unpivot') return { kind: 'pipe-unpivot', unpivot: item.unpivot, alias: item.alias, position };
    throw new Error(`no table operator: ${item.kind}`);
  });
  const orderItem: Arbitrary<OrderItem> = fc
    .record({ expression, direction: fc.constantFrom('ASC' as const, 'DESC' as const), nulls: fc.constant(null) })
    .map((item) => ({ kind: 'order-item', ...item, position }));
  const limit: Arbitrary<LimitClause> = fc
    .record({ count, offset: fc.option(count, { nil: null }) })
    .map((clause) => ({ kind: 'limit', ...clause, position }));
  const table: Arbitrary<CommonTable> = fc
    .record({ name, query })
    .map((values) => ({ kind: 'common-table', ...values, position }));
  const added: Arbitrary<SelectItem> = fc
    .record({ expression, alias })
    .map((values) => ({ kind: 'select-expression', ...values, position }));
  const named = fc.record({ name, expression });
  const items = some(added);

  return fc.oneof(
    step(
      'pipe-select',
      fc.record({
        distinct: fc.boolean(),
        as: fc.constantFrom(null, 'STRUCT' as const, 'VALUE' as const),
        items: some(parts.item),
        windows,
      })
    ),
    step('pipe-extend', fc.record({ operator: fc.constant('EXTEND' as const), items, windows })),
    step(
      'pipe-extend',
      fc.record({ operator: fc.constant('WINDOW' as const), items, windows: fc.constant<readonly NamedWindow[]>([]) })
    ),
    step('pipe-set', fc.record({ items: some(named) })),
    step('pipe-drop', fc.record({ names: some(name) })),
    step('pipe-rename', fc.record({ items: some(fc.record({ from: name, to: name })) })),
    step('pipe-as', fc.record({ alias: name })),
    step('pipe-where', fc.record({ condition: expression })),
    step(
      'pipe-aggregate',
      fc.oneof(
        fc.record({
          items: few(aggregate),
          groupBy: fc.record({ items: some(aggregate), ordered: fc.boolean() }),
        }),
        fc.record({
          items: few(aggregate),
          groupBy: fc.record({ items: some(grouping), ordered: fc.constant(false) }),
        }),
        fc.record({ items: some(aggregate), groupBy: fc.constant(null) })
      )
    ),
    tableOperator,
    fc.constant<PipeStep>({ kind: 'pipe-distinct', position }),
    step('pipe-order-by', fc.record({ items: some(orderItem) })),
    step('pipe-limit', fc.record({ limit })),
    fc
      .record({
        join: fc.constantFrom('INNER' as const, 'LEFT' as const, 'RIGHT' as const, 'FULL' as const),
        right: joined,
        on: expression,
        using: few(name),
      })
      .map(({ join, right, on, using }): PipeJoin =>
        using.length > 0
          ? { kind: 'pipe-join', join, right, on: null, using, position }
          : { kind: 'pipe-join', join, right, on, using, position }
      ),
    joined.map((right): PipeJoin => ({ kind: 'pipe-join', join: 'CROSS', right, on: null, using: [], position })),
    step(
      'pipe-set-operation',
      fc.record({
        operator: fc.constantFrom('UNION ALL' as const, 'INTERSECT ALL' as const, 'EXCEPT DISTINCT' as const),
        match: fc.constantFrom(null, { mode: 'LEFT' as const, columns: [] }),
        branches: some(query),
      })
    ),
    step('pipe-with', fc.record({ tables: some(table) }))
  );
}
