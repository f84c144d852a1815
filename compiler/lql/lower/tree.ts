/** Builders for the nodes that LQL lowers to. Each node has the position of the LQL text from which it was made. */
import type {
  BinaryOperator,
  Expression,
  FromItem,
  Identifier,
  OrderItem,
  QueryExpression,
  SelectItem,
  SourcePosition,
} from '../../ast';
import { RESERVED_WORDS } from '../../sql/reserved-words';
import { mapItems, type NonEmpty } from '../../items';

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Quoted only if SQL requires it, so that the printed statement is readable. */
export function identifier(name: string, position: SourcePosition): Identifier {
  return { name, quoted: !PLAIN_NAME.test(name) || RESERVED_WORDS.has(name.toUpperCase()), position };
}

export function path(names: NonEmpty<string>, position: SourcePosition): Expression {
  return { kind: 'path', parts: mapItems(names, (name) => identifier(name, position)), position };
}

export function text(value: string, position: SourcePosition): Expression {
  return { kind: 'literal', literal: { type: 'string', value }, position };
}

export function bool(value: boolean, position: SourcePosition): Expression {
  return { kind: 'literal', literal: { type: 'bool', value }, position };
}

export function whole(value: bigint | number, position: SourcePosition): Expression {
  const digits = String(value).replace('-', '');
  return negative(value < 0, { kind: 'literal', literal: { type: 'integer', digits }, position });
}

export function fraction(value: number, position: SourcePosition): Expression {
  return negative(value < 0, { kind: 'literal', literal: { type: 'float', value: Math.abs(value) }, position });
}

function negative(isNegative: boolean, operand: Expression): Expression {
  return isNegative ? { kind: 'unary', operator: '-', operand, position: operand.position } : operand;
}

export function binary(left: Expression, operator: BinaryOperator, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, position: { ...left.position, end: right.position.end } };
}

/** Joins conditions, nested to the left so that a long chain does not count as depth. */
export function joined(operator: 'AND' | 'OR', conditions: readonly Expression[]): Expression {
  return conditions.reduce((left, right) => binary(left, operator, right));
}

/** The conditions of an AND, in order. */
export function conjuncts(condition: Expression): readonly Expression[] {
  if (condition.kind !== 'binary' || condition.operator !== 'AND') return [condition];
  return [...conjuncts(condition.left), ...conjuncts(condition.right)];
}

export function not(operand: Expression): Expression {
  return { kind: 'unary', operator: 'NOT', operand, position: operand.position };
}

/** The element that an array has at an index, NULL where it has none. */
export function element(base: Expression, index: number): Expression {
  const { position } = base;
  return { kind: 'index', base, mode: 'safe_offset', index: whole(index, position), position };
}

export function select(expression: Expression, alias: string): SelectItem {
  const { position } = expression;
  return { kind: 'select-expression', expression, alias: identifier(alias, position), position };
}

export function order(expression: Expression, direction: 'ASC' | 'DESC'): OrderItem {
  return { kind: 'order-item', expression, direction, nulls: null, position: expression.position };
}

export interface Block {
  readonly items: readonly SelectItem[];
  readonly from: FromItem;
  readonly where: Expression | null;
  readonly groupBy?: readonly Expression[];
  readonly orderBy?: readonly OrderItem[];
  readonly position: SourcePosition;
}

export function query({ items, from, where, groupBy, orderBy = [], position }: Block): QueryExpression {
  return {
    kind: 'query',
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      as: null,
      items,
      from,
      where,
      groupBy: groupBy === undefined ? null : { kind: 'items', items: groupBy },
      having: null,
      qualify: null,
      windows: [],
      position,
    },
    orderBy,
    limit: null,
    position,
  };
}

/** `EXISTS (SELECT 1 FROM UNNEST(a) AS x1, UNNEST(x1.b) AS x2 … WHERE condition)`. */
export function exists(opened: readonly Opened[], condition: Expression): Expression {
  const { position } = condition;
  const items = opened.map(({ array, alias }): FromItem => {
    return { kind: 'unnest', array, alias: identifier(alias, position), offset: null, position };
  });
  const from = items.reduce((left, right): FromItem => {
    return { kind: 'join', join: 'CROSS', comma: true, left, right, on: null, using: [], position };
  });
  const one: SelectItem = { kind: 'select-expression', expression: whole(1, position), alias: null, position };
  return { kind: 'exists', query: query({ items: [one], from, where: condition, position }), position };
}

export interface Opened {
  readonly array: Expression;
  readonly alias: string;
}
