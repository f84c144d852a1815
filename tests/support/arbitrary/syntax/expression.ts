/** Arbitrary expressions over smaller expressions and queries. */
import { NO_MODIFIERS } from '#compiler/ast/call';
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type {
  BinaryOperator,
  CallExpression,
  CaseExpression,
  Expression,
  FrameBound,
  HavingExtreme,
  InExpression,
  InnerGroups,
  IsExpression,
  StructExpression,
  WindowFrame,
  WindowSpecification,
} from '#compiler/ast/expressions';
import type { OrderItem, QueryExpression } from '#compiler/ast/queries';
import { depth, few, optional, several } from './depth';
import { alias, bare, name, nameAfterDot, position } from './name';
import { count, operand } from './operand';
import { arrayType, structType, typeName } from './type-name';

const UNITS = 'MICROSECOND MINUTE HOUR DAY ISOWEEK YEAR'.split(' ');
const CALL_NAMES = 'COUNT SUM LOWER IF LEFT OFFSET SAFE_ORDINAL DATE REPLACE NET.HOST CURRENT_DATE'.split(' ');
const BINARY_OPERATORS = '* / % || + - << >> & ^ | = != < <= > >= AND OR'.split(' ') as BinaryOperator[];

export function arbitraryOrderBy(expression: Arbitrary<Expression>): Arbitrary<readonly OrderItem[]> {
  const orderItem: Arbitrary<OrderItem> = fc
    .record({
      expression,
      direction: fc.constantFrom('ASC' as const, 'DESC' as const),
      nulls: fc.constantFrom(null, 'FIRST' as const, 'LAST' as const),
    })
    .map((item) => ({ kind: 'order-item', ...item, position }));
  return few(orderItem);
}

/** The part after OVER. */
export function arbitraryWindow(expression: Arbitrary<Expression>): Arbitrary<WindowSpecification> {
  const bound: Arbitrary<FrameBound> = fc.oneof(
    fc
      .constantFrom('unbounded-preceding' as const, 'unbounded-following' as const, 'current-row' as const)
      .map((kind) => ({ kind, position })),
    fc
      .record({ kind: fc.constantFrom('preceding' as const, 'following' as const), amount: expression })
      .map((bound) => ({ ...bound, position }))
  );
  const frame: Arbitrary<WindowFrame> = fc.record({
    unit: fc.constantFrom('ROWS' as const, 'RANGE' as const),
    start: bound,
    end: fc.option(bound, { nil: null }),
  });
  return fc
    .record({
      base: optional(name),
      partitionBy: few(expression),
      orderBy: arbitraryOrderBy(expression),
      frame: optional(frame),
    })
    .map((window): WindowSpecification => ({ kind: 'window', ...window, position }));
}

export function arbitraryExpression(
  expression: Arbitrary<Expression>,
  query: Arbitrary<QueryExpression>
): Arbitrary<Expression> {
  const expressions = (minLength: number) => fc.array(expression, { minLength, maxLength: minLength + 1 });
  const orderBy = arbitraryOrderBy(expression);
  const over = optional(arbitraryWindow(expression));
  const lambda: Arbitrary<Expression> = fc
    .record({ parameters: several(name, { min: 1, max: 2 }), body: expression })
    .map((parts) => ({ kind: 'lambda', ...parts, position }));
  const named: Arbitrary<Expression> = fc
    .record({
      variables: fc.array(fc.record({ name, expression }), { minLength: 1, maxLength: 2 }),
      body: expression,
    })
    .map((parts) => ({ kind: 'with', ...parts, position }));
  const plainCall = { args: [], ...NO_MODIFIERS } as const;
  const havingExtreme: Arbitrary<HavingExtreme> = fc
    .record({ which: fc.constantFrom('MAX' as const, 'MIN' as const), key: expression })
    .map((parts) => ({ kind: 'having-extreme', ...parts, position }));
  const innerGroups: Arbitrary<InnerGroups> = fc
    .record({
      keys: fc.array(expression, { minLength: 1, maxLength: 2 }),
      having: fc.option(expression, { nil: null }),
    })
    .map((parts) => ({ kind: 'inner-groups', ...parts, position }));
  const reads: Arbitrary<Pick<CallExpression, 'having' | 'groups'>> = fc.oneof(
    fc.constant({ having: null, groups: null }),
    havingExtreme.map((having) => ({ having, groups: null })),
    innerGroups.map((groups) => ({ having: null, groups }))
  );
  const call: Arbitrary<CallExpression> = fc
    .record({
      name: fc.constantFrom(...CALL_NAMES),
      safe: fc.boolean(),
      over,
      reads,
      rest: fc.oneof(
        fc.constantFrom(plainCall, { ...plainCall, star: true }),
        fc.record({
          args: fc.array(fc.oneof({ arbitrary: expression, weight: 4 }, lambda), { minLength: 1, maxLength: 2 }),
          star: fc.constant(false),
          distinct: fc.boolean(),
          nulls: fc.constantFrom(null, 'IGNORE' as const, 'RESPECT' as const),
          where: fc.option(expression, { nil: null }),
          having: fc.constant(null),
          groups: fc.constant(null),
          orderBy,
          limit: fc.option(count, { nil: null }),
        })
      ),
    })
    .map(({ rest, reads, ...call }) => ({
      kind: 'call',
      namePosition: position,
      ...call,
      ...rest,
      ...(rest.args.length > 0 ? reads : {}),
      star: rest.star && call.name === 'COUNT',
      position,
    }));

  const choices: Arbitrary<InExpression['choices']> = fc.oneof(
    expressions(1)
      // One subquery alone in the list would be the subquery itself.
      .filter((items) => items.length > 1 || items[0]?.kind !== 'subquery')
      .map((items) => ({ kind: 'list' as const, items })),
    query.map((subquery) => ({ kind: 'subquery' as const, query: subquery })),
    expression.map((array) => ({ kind: 'unnest' as const, array }))
  );
  const withPatterns = <T extends object>(rest: T) =>
    fc.oneof(
      expression.map((pattern) => ({ ...rest, quantifier: null, patterns: [pattern] })),
      fc
        .record({ quantifier: fc.constantFrom('ANY' as const, 'ALL' as const), patterns: expressions(1) })
        .filter(({ patterns }) => patterns.length > 1 || patterns[0]?.kind !== 'subquery')
        .map((patterns) => ({ ...rest, ...patterns }))
    );
  const test: Arbitrary<IsExpression['test']> = fc.oneof(
    fc.constantFrom('NULL' as const, 'TRUE' as const, 'FALSE' as const, 'UNKNOWN' as const),
    expression.map((distinctFrom) => ({ distinctFrom }))
  );
  const branches: Arbitrary<CaseExpression['branches']> = fc.array(fc.record({ when: expression, then: expression }), {
    minLength: 1,
    maxLength: 2,
  });
  const fields: Arbitrary<StructExpression['fields']> = fc.array(fc.record({ name: alias, value: expression }), {
    minLength: 1,
    maxLength: 2,
  });
  const node = <Kind extends Expression['kind'], Rest extends object>(kind: Kind, rest: Arbitrary<Rest>) =>
    rest.map((values) => ({ kind, ...values, position }));
  const modes = fc.constantFrom(
    'plain' as const,
    'offset' as const,
    'safe_offset' as const,
    'ordinal' as const,
    'safe_ordinal' as const
  );
  const binary = node(
    'binary',
    fc.record({ operator: fc.constantFrom(...BINARY_OPERATORS), left: expression, right: expression })
  );

  return fc.oneof(
    depth,
    { arbitrary: operand, weight: 2 },
    { arbitrary: binary, weight: 4 },
    node('interval', fc.record({ amount: expression, unit: bare(UNITS), to: fc.option(bare(UNITS)) })),
    node('field', fc.record({ base: expression, field: nameAfterDot })),
    node('index', fc.record({ base: expression, mode: modes, index: expression })),
    node(
      'unary',
      fc.record({
        operator: fc.constantFrom('-' as const, '+' as const, '~' as const, 'NOT' as const),
        operand: expression,
      })
    ),
    node('is', fc.record({ operand: expression, negated: fc.boolean(), test })),
    node(
      'like',
      fc.record({ operand: expression, negated: fc.boolean(), caseInsensitive: fc.boolean() }).chain(withPatterns)
    ),
    node('between', fc.record({ operand: expression, low: expression, high: expression, negated: fc.boolean() })),
    node('in', fc.record({ operand: expression, negated: fc.boolean(), choices })),
    node('case', fc.record({ operand: optional(expression), branches, otherwise: optional(expression) })),
    node(
      'cast',
      fc.record({
        operand: expression,
        type: typeName,
        safe: fc.boolean(),
        format: fc.option(fc.record({ pattern: expression, timeZone: fc.option(expression) })),
      })
    ),
    node(
      'extract',
      fc.oneof(
        fc.record({
          part: bare(UNITS),
          weekday: fc.constant(null),
          operand: expression,
          timeZone: optional(expression),
        }),
        fc.record({
          part: bare(['WEEK']),
          weekday: bare(['MONDAY', 'SUNDAY']),
          operand: expression,
          timeZone: fc.constant(null),
        })
      )
    ),
    call,
    named,
    node('array', fc.record({ type: fc.option(arrayType, { nil: null }), items: expressions(0) })),
    node('struct', fc.record({ type: fc.option(structType, { nil: null }), fields })),
    node('tuple', fc.record({ items: expressions(2) })),
    node('subquery', fc.record({ query })),
    node('exists', fc.record({ query })),
    node('array-subquery', fc.record({ query }))
  );
}
