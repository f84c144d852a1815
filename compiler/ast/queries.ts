/** Query nodes: statement, WITH, set operations, SELECT and its clauses. */
import type { Expression, LiteralExpression, PathExpression, WindowSpecification } from './expressions';
import type { Identifier, Node } from './node';
import type { FromBody, PipeBody } from './pipes';
import type { NonEmpty } from '../items';

/** A query at any level: its WITH, its body, and the ORDER BY and LIMIT of the whole body. */
export interface QueryExpression extends Node {
  readonly kind: 'query';
  /** WITH RECURSIVE: WITH queries may read themselves and later ones. */
  readonly recursive?: true;
  readonly with: readonly CommonTable[];
  readonly body: QueryBody;
  readonly orderBy: readonly OrderItem[];
  readonly limit: LimitClause | null;
}

/**
 * A SELECT, a set operation, FROM alone, a pipe query, or a query in parentheses with its own WITH, ORDER BY and LIMIT.
 */
export type QueryBody = SelectBody | SetOperation | FromBody | PipeBody | QueryExpression;

export interface CommonTable extends Node {
  readonly kind: 'common-table';
  readonly name: Identifier;
  readonly query: QueryExpression;
}

/**
 * Two or more branches of one operator, left to right. Mixed operators need parentheses, so each level has one
 * operator.
 */
export interface SetOperation extends SetOperator, Node {
  readonly kind: 'set-operation';
  readonly branches: NonEmpty<QueryBody>;
}

export interface SetOperator {
  readonly operator: `${'UNION' | 'INTERSECT' | 'EXCEPT'} ${'ALL' | 'DISTINCT'}`;
  /** Null: columns are matched by their position. */
  readonly match: ColumnMatch | null;
}

/** `BY NAME ON (a, b)`, or CORRESPONDING BY: columns are matched by name. */
export interface ColumnMatch {
  /**
   * STRICT: all branches have the same columns. INNER: columns of all branches. LEFT: those of the first branch. FULL:
   * those of any.
   */
  readonly mode: 'STRICT' | 'INNER' | 'LEFT' | 'FULL';
  /** Columns of the result; empty if not written. */
  readonly columns: readonly Identifier[];
}

export interface SelectBody extends Node {
  readonly kind: 'select';
  readonly distinct: boolean;
  /** `SELECT AS STRUCT` or `SELECT AS VALUE`; the resolver checks where they are allowed. */
  readonly as: 'STRUCT' | 'VALUE' | null;
  readonly items: readonly SelectItem[];
  readonly from: FromItem | null;
  readonly where: Expression | null;
  readonly groupBy: GroupBy | null;
  readonly having: Expression | null;
  readonly qualify: Expression | null;
  readonly windows: readonly NamedWindow[];
}

/** `name AS (..)` of a WINDOW clause. */
export interface NamedWindow extends Node {
  readonly kind: 'named-window';
  readonly name: Identifier;
  readonly window: WindowSpecification;
}

export type SelectItem = SelectExpression | SelectStar;

export interface SelectExpression extends Node {
  readonly kind: 'select-expression';
  readonly expression: Expression;
  readonly alias: Identifier | null;
}

/** `*` (qualifier empty), `a.b.*` or `f(x).*`, with `EXCEPT (..)` and `REPLACE (.. AS name)`. */
export interface SelectStar extends Node {
  readonly kind: 'select-star';
  /** The record whose fields are selected, where it is not a name; null otherwise. */
  readonly operand: Expression | null;
  readonly qualifier: readonly Identifier[];
  readonly except: readonly Identifier[];
  readonly replace: readonly { readonly expression: Expression; readonly name: Identifier }[];
}

/**
 * `GROUP BY ALL`, a list of expressions, in which integer literals are ordinals, or a list with several grouping sets.
 */
export type GroupBy =
  | { readonly kind: 'all'; readonly position: Node['position'] }
  | { readonly kind: 'items'; readonly items: readonly Expression[] }
  | { readonly kind: 'sets'; readonly items: readonly GroupingItem[] };

/** A tuple inside ROLLUP, CUBE or GROUPING SETS is a set of keys. The sets of several items are combined. */
export type GroupingItem =
  | { readonly kind: 'expression'; readonly expression: Expression }
  /** `()`: one group of all rows. */
  | { readonly kind: 'empty'; readonly position: Node['position'] }
  | { readonly kind: 'rollup' | 'cube'; readonly items: readonly Expression[]; readonly position: Node['position'] }
  | {
      readonly kind: 'grouping-sets';
      /** Never `grouping-sets` themselves. */
      readonly items: readonly GroupingItem[];
      readonly position: Node['position'];
    };

export interface OrderItem extends Node {
  readonly kind: 'order-item';
  readonly expression: Expression;
  readonly direction: 'ASC' | 'DESC';
  /** Null when not written. */
  readonly nulls: 'FIRST' | 'LAST' | null;
}

export interface LimitClause extends Node {
  readonly kind: 'limit';
  readonly count: Expression;
  readonly offset: Expression | null;
}

export type FromItem =
  | TableReference
  | DerivedTable
  | UnnestItem
  | JoinItem
  | ParenthesizedFrom
  | PivotItem
  | UnpivotItem
  | SampledTable
  | LateralTable;

/**
 * A name in FROM. A quoted name may contain dots (`` `a.b` `` is one part). `t.metadata` has two parts; it is an
 * implicit UNNEST if the first one is a range variable of this or an outer block.
 */
export interface TableReference extends Node {
  readonly kind: 'table';
  readonly path: NonEmpty<Identifier>;
  readonly alias: Identifier | null;
  /** `WITH OFFSET [AS o]` of an implicit UNNEST. */
  readonly offset: Identifier | null;
}

export interface DerivedTable extends Node {
  readonly kind: 'derived';
  readonly query: QueryExpression;
  readonly alias: Identifier | null;
}

export interface UnnestItem extends Node {
  readonly kind: 'unnest';
  readonly array: Expression;
  readonly alias: Identifier | null;
  /** `WITH OFFSET [AS o]`; the default name is `offset`. */
  readonly offset: Identifier | null;
  /** Set for the rows of LATERAL, whose name is that of a table. */
  readonly isTable?: true;
}

/** Joins of one FROM nest to the left. Each counts towards the depth limit, so recursion into `left` is safe. */
export interface JoinItem extends Node {
  readonly kind: 'join';
  readonly join: 'CROSS' | 'INNER' | 'LEFT' | 'RIGHT' | 'FULL';
  /** True for `a, b`, which is a CROSS join. */
  readonly comma: boolean;
  readonly left: FromItem;
  readonly right: FromItem;
  readonly on: Expression | null;
  readonly using: readonly Identifier[];
}

/** A join without what is to its left. */
export type JoinedItem = Omit<JoinItem, 'kind' | 'left' | 'comma'>;

/** `(a JOIN b ON ..)`: the parentheses limit the scope of an UNNEST argument. */
export interface ParenthesizedFrom extends Node {
  readonly kind: 'parenthesized';
  readonly item: FromItem;
}

/** `input PIVOT (..) AS alias`; the parser makes it of a table or a derived table. */
export interface PivotItem extends Node {
  readonly kind: 'pivot';
  readonly input: FromItem;
  readonly pivot: PivotClause;
  readonly alias: Identifier | null;
}

/** `aggregate AS prefix, .. FOR key IN (value AS name, ..)`. */
export interface PivotClause extends Node {
  readonly aggregates: readonly { readonly expression: Expression; readonly alias: Identifier | null }[];
  readonly key: Expression;
  readonly values: readonly { readonly expression: Expression; readonly alias: Identifier | null }[];
}

/** `input UNPIVOT (..) AS alias`. */
export interface UnpivotItem extends Node {
  readonly kind: 'unpivot';
  readonly input: FromItem;
  readonly unpivot: UnpivotClause;
  readonly alias: Identifier | null;
}

/** `LATERAL (SELECT ..) AS x`, on the right side of a join: a query that reads the row to its left. */
export interface LateralTable extends Node {
  readonly kind: 'lateral';
  readonly query: QueryExpression;
  readonly alias: Identifier | null;
}

/** `t AS a TABLESAMPLE BERNOULLI (10 PERCENT)`. */
export interface SampledTable extends Node, Sampling {
  readonly kind: 'sampled';
  readonly input: TableReference | DerivedTable | ParenthesizedFrom;
}

export interface Sampling {
  /** Each row with a probability, or a number of rows. */
  readonly method: 'BERNOULLI' | 'SYSTEM' | 'RESERVOIR';
  /** A number or a parameter. */
  readonly size: Expression;
  readonly unit: 'PERCENT' | 'ROWS';
}

/** `values FOR name IN (columns AS label, ..)`; each entry of `columns` has as many paths as there are values. */
export interface UnpivotClause extends Node {
  readonly includeNulls: boolean;
  readonly values: NonEmpty<Identifier>;
  readonly name: Identifier;
  readonly columns: NonEmpty<{ readonly paths: NonEmpty<PathExpression>; readonly label: LiteralExpression | null }>;
}
