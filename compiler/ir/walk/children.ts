/**
 * Children of expressions, for all traversals and rebuilds. A subquery's plan is not a child: it has rows of its own.
 */
import type { AggregateExpr, CaseExpr, Expr, SortExpr } from '../expression';

export type Replace = (expr: Expr) => Expr;

/** How a kind of expression is taken apart and put together. Methods, since each kind has a type of its own. */
interface Parts<E extends Expr = Expr> {
  /** Direct children in the order in which they are written. */
  list(expr: E): readonly Expr[];
  /** The expression with other children: `next` returns them in the same order. */
  build(expr: E, next: () => Expr): Expr;
}

const NOTHING: readonly Expr[] = [];

const NO_PARTS: Parts = { list: () => NOTHING, build: (expr) => expr };

const OPERAND: Parts<Extract<Expr, { operand: Expr }>> = {
  list: ({ operand }) => [operand],
  build: (expr, next) => ({ ...expr, operand: next() }),
};

const BASE: Parts<Extract<Expr, { base: Expr }>> = {
  list: ({ base }) => [base],
  build: (expr, next) => ({ ...expr, base: next() }),
};

/** Bounds of frames are constants and no children. */
const AGGREGATE: Parts<AggregateExpr> = {
  list: ({ args, orderBy, over }) =>
    orderBy.length === 0 && over === null
      ? args
      : [...args, ...orderBy.map(exprOf), ...(over ? [...over.partitionBy, ...over.orderBy.map(exprOf)] : [])],
  build: (expr, next) => ({
    ...expr,
    args: expr.args.map(next),
    orderBy: sorted(expr.orderBy, next),
    over: expr.over && {
      ...expr.over,
      partitionBy: expr.over.partitionBy.map(next),
      orderBy: sorted(expr.over.orderBy, next),
    },
  }),
};

const CASE: Parts<CaseExpr> = {
  list: ({ branches, otherwise }) => {
    const parts: Expr[] = [];
    for (const { when, then } of branches) parts.push(when, then);
    if (otherwise !== null) parts.push(otherwise);
    return parts;
  },
  build: (expr, next) => ({
    ...expr,
    branches: expr.branches.map(() => ({ when: next(), then: next() })),
    otherwise: expr.otherwise && next(),
  }),
};

const PARTS: { readonly [Kind in Expr['kind']]: Parts<Extract<Expr, { kind: Kind }>> } = {
  literal: NO_PARTS,
  now: NO_PARTS,
  bound: NO_PARTS,
  column: NO_PARTS,
  'lazy-record': NO_PARTS,
  subquery: NO_PARTS,
  element: NO_PARTS,
  call: { list: ({ args }) => args, build: (expr, next) => ({ ...expr, args: expr.args.map(next) }) },
  case: CASE,
  cast: OPERAND,
  redacted: OPERAND,
  'in-subquery': OPERAND,
  aggregate: AGGREGATE,
  lambda: { list: ({ body }) => [body], build: (expr, next) => ({ ...expr, body: next() }) },
  array: { list: ({ items }) => items, build: (expr, next) => ({ ...expr, items: expr.items.map(next) }) },
  struct: {
    list: ({ fields }) => fields.map(exprOf),
    build: (expr, next) => ({ ...expr, fields: expr.fields.map(({ name }) => ({ name, expr: next() })) }),
  },
  'struct-field': BASE,
  'json-field': BASE,
};

function exprOf({ expr }: { readonly expr: Expr }): Expr {
  return expr;
}

function sorted(keys: readonly SortExpr[], next: () => Expr): readonly SortExpr[] {
  return keys.map((key) => ({ ...key, expr: next() }));
}

function partsOf({ kind }: Expr): Parts {
  return PARTS[kind];
}

/** Direct children in the order in which they are written. */
export function children(expr: Expr): readonly Expr[] {
  return partsOf(expr).list(expr);
}

/** The expression with each direct child replaced, in the order in which they are written. */
export function withChildren(expr: Expr, replace: Replace): Expr {
  const replaced = children(expr).map((child) => replace(child));
  let index = 0;
  return partsOf(expr).build(expr, () => replaced[index++] as Expr);
}

/** Whether the expression or any descendant satisfies the predicate. */
export function some(expr: Expr, isWanted: (part: Expr) => boolean): boolean {
  return isWanted(expr) || children(expr).some((child) => some(child, isWanted));
}

export function containsSubquery(expr: Expr): boolean {
  return some(expr, ({ kind }) => kind === 'subquery' || kind === 'in-subquery');
}

/** Whether the expression is a value of its own, such as a column. */
export function isLeaf({ kind }: Expr): boolean {
  return kind === 'column' || kind === 'literal' || kind === 'bound' || kind === 'now' || kind === 'lazy-record';
}

/** Sizes are computed once for each larger node: they are asked for at every level of a tree. */
const sizes = new WeakMap<Expr, number>();

/** Maximum size that is faster to compute again than to remember. */
const SMALL_SIZE = 16;

/** Nodes that a redaction counts as: stores print it with dozens of patterns, and compile these for each place. */
const REDACTION_SIZE = 40;

export function isSmall(expr: Expr): boolean {
  return sizeOf(expr) <= SMALL_SIZE;
}

/**
 * Number of nodes that a traversal visits, where a redaction counts as many. Nodes may be shared (the operand of a CASE
 * is part of each branch), so the number can be exponential in the length of the text; computing it is linear.
 */
export function sizeOf(expr: Expr): number {
  if (expr.kind === 'column') return expr.size ?? 1;
  if (isLeaf(expr)) return 1;
  const known = sizes.get(expr);
  if (known !== undefined) return known;
  let size = expr.kind === 'redacted' ? REDACTION_SIZE : 1;
  for (const part of children(expr)) size += sizeOf(part);
  if (size > SMALL_SIZE) sizes.set(expr, size);
  return size;
}
