/** TABLESAMPLE: a query over the table that chooses rows at random, before they are joined or filtered. */
import type { CallExpression, DerivedTable, Expression, SampledTable, SelectBody } from '../../../ast';
import { FLOAT64 } from '../../../ir/types';
import type { ExpressionResolver } from '../../expressions/resolve-expression';
import { failure } from '../../failure';

/** @throws wrong_arguments, not_constant, type_mismatch, bad_parameter */
export function sampledQuery(item: SampledTable, resolver: ExpressionResolver): DerivedTable {
  const { input, method, unit, size, position } = item;
  if ((unit === 'ROWS' && method === 'BERNOULLI') || (unit === 'PERCENT' && method === 'RESERVOIR')) {
    throw failure('wrong_arguments', `TABLESAMPLE ${method} takes no ${unit}`, size.position, {
      hint: method === 'BERNOULLI' ? 'write RESERVOIR (n ROWS)' : 'write BERNOULLI (n PERCENT)',
    });
  }
  const random = randomOf(item);
  const limit = unit === 'ROWS' ? ({ kind: 'limit', count: size, offset: null, position } as const) : null;
  const body: SelectBody = {
    kind: 'select',
    distinct: false,
    as: null,
    items: [{ kind: 'select-star', operand: null, qualifier: [], except: [], replace: [], position }],
    from: input,
    where: unit === 'ROWS' ? null : isChosen(random, shareOf(size, resolver)),
    groupBy: null,
    having: null,
    qualify: null,
    windows: [],
    position,
  };
  const orderBy =
    limit === null
      ? []
      : [{ kind: 'order-item', expression: random, direction: 'ASC', nulls: null, position: size.position } as const];
  const query = { kind: 'query', with: [], body, orderBy, limit, position } as const;
  const name = input.kind === 'table' ? nameOf(input.path) : null;
  return { kind: 'derived', query, alias: input.alias ?? name, position };
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

/** Its place in the text makes its values different from those of other calls. */
function randomOf({ size: { position } }: SampledTable): CallExpression {
  return {
    kind: 'call',
    name: 'RAND',
    namePosition: position,
    safe: false,
    args: [],
    star: false,
    distinct: false,
    nulls: null,
    where: null,
    having: null,
    groups: null,
    orderBy: [],
    limit: null,
    over: null,
    position,
  };
}

function isChosen(random: Expression, share: number): Expression {
  const { position } = random;
  const right: Expression = { kind: 'literal', literal: { type: 'float', value: share }, position };
  return { kind: 'binary', operator: '<', left: random, right, position };
}
