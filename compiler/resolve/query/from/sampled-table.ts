/** TABLESAMPLE: chooses rows at random, before they are joined or filtered. */
import type {
  DerivedTable,
  Expression,
  LimitClause,
  OrderItem,
  SampledTable,
  Sampling,
  SelectBody,
} from '../../../ast';
import { callExpression } from '../../../ast/call';
import { selectAll } from '../../../ast/select';
import { FLOAT64 } from '../../../ir/types';
import type { ExpressionResolver } from '../../expressions/resolve-expression';
import { failure } from '../../failure';
import type { PipeBlock } from '../../pipes/pipe-block';
import { resolveLimit } from '../order/resolve-limit';

export type TableSample = SampledTable & { readonly input: Exclude<SampledTable['input'], { kind: 'parenthesized' }> };

/** How rows are chosen: by a condition, or in an order up to a number. */
type Choice =
  | { readonly where: Expression; readonly orderBy: null; readonly limit: null }
  | { readonly where: null; readonly orderBy: OrderItem; readonly limit: LimitClause };

/** A query that chooses rows of a table. @throws wrong_arguments, not_constant, type_mismatch, bad_parameter */
export function sampledQuery(item: TableSample, resolver: ExpressionResolver): DerivedTable {
  const { input, position } = item;
  const { where, orderBy, limit } = choiceOf(item, resolver);
  const body: SelectBody = { ...selectAll(input, position), where };
  const query = { kind: 'query', with: [], body, orderBy: orderBy === null ? [] : [orderBy], limit, position } as const;
  const name = input.kind === 'table' ? nameOf(input.path) : null;
  return { kind: 'derived', query, alias: input.alias ?? name, position };
}

/** Chooses rows of a block, which takes conditions and has no limit. @throws as `sampledQuery` */
export function sampleBlock(block: PipeBlock, sampling: Sampling, resolver: ExpressionResolver): void {
  const { where, orderBy, limit } = choiceOf(sampling, resolver);
  if (where === null) {
    block.order = [resolver.sortItem(orderBy, (expression) => resolver.resolve(expression))];
    block.limit = resolveLimit(limit, resolver);
    return;
  }
  block.isSampled = true;
  block.piece = { ...block.piece, conditions: [...block.piece.conditions, resolver.resolveCondition(where)] };
}

function choiceOf({ method, unit, size }: Sampling, resolver: ExpressionResolver): Choice {
  if ((unit === 'ROWS' && method === 'BERNOULLI') || (unit === 'PERCENT' && method === 'RESERVOIR')) {
    throw failure('wrong_arguments', `TABLESAMPLE ${method} takes no ${unit}`, size.position, {
      hint: method === 'BERNOULLI' ? 'write RESERVOIR (n ROWS)' : 'write BERNOULLI (n PERCENT)',
    });
  }
  const { position } = size;
  // Its place in the text makes its values different from those of other calls.
  const random = callExpression('RAND', [], position);
  if (unit === 'PERCENT') return { where: isChosen(random, shareOf(size, resolver)), orderBy: null, limit: null };
  const limit: LimitClause = { kind: 'limit', count: size, offset: null, position };
  // Its problems are named here: the text has no LIMIT.
  resolveLimit(limit, resolver, 'the number of rows of TABLESAMPLE');
  return {
    where: null,
    orderBy: { kind: 'order-item', expression: random, direction: 'ASC', nulls: null, position },
    limit,
  };
}

function nameOf(path: Extract<SampledTable['input'], { kind: 'table' }>['path']): DerivedTable['alias'] {
  const [first] = path;
  if (first === undefined) return null;
  return { name: path.map(({ name }) => name).join('.'), quoted: true, position: first.position };
}

/** The part of the rows, from 0 to 1. */
function shareOf(size: Expression, resolver: ExpressionResolver): number {
  const value = resolver.coerce(resolver.resolve(size), FLOAT64, 'TABLESAMPLE');
  const { expr } = value;
  if (expr.kind === 'bound' && expr.failure !== null) throw expr.failure;
  const percent = resolver.constant(value)?.value;
  if (typeof percent === 'number' && percent >= 0 && percent <= 100) return percent / 100;
  throw failure('wrong_arguments', 'TABLESAMPLE takes a number of PERCENT from 0 to 100', size.position);
}

function isChosen(random: Expression, share: number): Expression {
  const { position } = random;
  const right: Expression = { kind: 'literal', literal: { type: 'float', value: share }, position };
  return { kind: 'binary', operator: '<', left: random, right, position };
}
