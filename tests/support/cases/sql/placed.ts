/**
 * Statements with an expression of the function cases in each clause. Constants of the expression become columns of a
 * row, so that nothing is computed before the store runs.
 */
import type { Expression } from '#compiler/ast/expressions';
import { lookupFunction } from '#compiler/functions/catalog';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';
import type { FunctionCase } from './functions';

const PREFIX = 'select ';
const LIST = 'from unnest([1, 2]) as x1';

/** Places inside of a subquery, each as an item of the select list. */
const SUBQUERIES: readonly ((json: string, filter: string) => string)[] = [
  (json) => `(select max(${json}) ${LIST}) as v`,
  (_json, filter) => `exists(select 1 ${LIST} where ${filter}) as w`,
  (json) => `array(select ${json} ${LIST} order by ${json}) as x`,
  (json) => `'a' in (select ${json} ${LIST}) as y`,
  (json) => `(select sum(1) ${LIST} where ${json} in (select 'a' ${LIST})) as z`,
];

export interface PlacedCase {
  /** The expression in a select list alone. */
  readonly plain: string;
  /** The expression in other clauses and in subqueries. */
  readonly placed: readonly string[];
}

interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * @param share one of `turns` shares of the places inside of a subquery. @default all of them
 * @returns undefined for an expression that is not valid, or has neither constants nor columns
 */
export function placedCase(
  { expression, from, parameters }: FunctionCase,
  share = { turn: 0, turns: 1 }
): PlacedCase | undefined {
  if (Object.keys(parameters).length > 0) return undefined;
  const parsed = parsedExpression(expression);
  if (parsed === undefined) return undefined;
  const constants = constantsIn(parsed);
  const columns = constants.map((_, index) => `c${index + 1}`);
  const text = from === undefined ? replaced(expression, constants, columns) : expression;
  if (from === undefined && columns.length === 0) return undefined;
  const fields = constants.map(({ start, end }, index) => `${expression.slice(start, end)} as c${index + 1}`);
  const source = from ?? `unnest([struct(${fields.join(', ')})]) as r`;
  const groups = from === undefined ? ` group by ${columns.join(', ')}` : undefined;
  const subqueries = SUBQUERIES.filter((_place, index) => index % share.turns === share.turn);
  return {
    plain: `select ${text} as v from ${source}`,
    placed: placesOf(parsed, text, source, { groups, subqueries }),
  };
}

interface Places {
  readonly groups: string | undefined;
  readonly subqueries: typeof SUBQUERIES;
}

function placesOf(parsed: Expression, text: string, source: string, places: Places): readonly string[] {
  const { groups, subqueries } = places;
  const json = `to_json_string(${text})`;
  const filter = `coalesce(${json}, '') != 'never'`;
  if (contains(parsed, isWindow)) return [`select 1 as v from ${source} qualify ${filter} order by ${json}`];
  if (contains(parsed, isAggregate)) {
    return [
      `select 1 as v from ${source} having ${filter} qualify rank() over (order by ${json}) > 0 order by ${json}`,
    ];
  }
  const grouped = `having ${filter} qualify rank() over (order by ${json}) > 0 order by ${json}`;
  return [
    ...(groups === undefined ? [] : [`select count(*) as v from ${source}${groups} ${grouped}`]),
    `select ${subqueries.map((place) => place(json, filter)).join(', ')} from ${source}`,
    `select count(*) as v from ${source} left join unnest(['a']) as x1 on ${json} = x1`,
  ];
}

function parsedExpression(text: string): Expression | undefined {
  try {
    const { body } = parseStatement(PREFIX + text);
    const item = body.kind === 'select' ? body.items[0] : undefined;
    return item?.kind === 'select-expression' && item.alias === null ? item.expression : undefined;
  } catch {
    return undefined;
  }
}

type Tree = Readonly<Record<string, unknown>>;

/** Constants that a column can replace, without those of subqueries. */
function constantsIn(expression: Expression): readonly Part[] {
  const found: Part[] = [];
  walk(expression, (node) => {
    if (node['kind'] === 'subquery' || node['kind'] === 'exists' || node['kind'] === 'array-subquery') return false;
    const literal = node['literal'] as { readonly type: string } | undefined;
    if (node['kind'] !== 'typed-literal' && (literal === undefined || literal.type === 'null')) return true;
    const { offset, end } = node['position'] as { readonly offset: number; readonly end: number };
    found.push({ start: offset - PREFIX.length, end: end - PREFIX.length });
    return false;
  });
  return found;
}

/** @param enter returns whether to visit the children of a node */
function walk(value: unknown, enter: (node: Tree) => boolean): void {
  if (Array.isArray(value)) for (const item of value) walk(item, enter);
  else if (typeof value === 'object' && value !== null && enter(value as Tree))
    for (const child of Object.values(value)) walk(child, enter);
}

function contains(expression: Expression, isWanted: (node: Tree) => boolean): boolean {
  let found = false;
  walk(expression, (node) => {
    found ||= isWanted(node);
    return true;
  });
  return found;
}

function isAggregate(node: Tree): boolean {
  return node['kind'] === 'call' && lookupFunction(node['name'] as string)?.kind === 'aggregate';
}

function isWindow(node: Tree): boolean {
  return node['kind'] === 'call' && node['over'] !== null;
}

function replaced(text: string, parts: readonly Part[], names: readonly string[]): string {
  let result = '';
  let at = 0;
  [...parts.entries()]
    .sort(([, a], [, b]) => a.start - b.start)
    .forEach(([index, { start, end }]) => {
      result += text.slice(at, start) + (names[index] as string);
      at = end;
    });
  return result + text.slice(at);
}
