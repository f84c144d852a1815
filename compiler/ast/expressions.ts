/** Expression nodes as parsed: names are not resolved and types are not known. Created by the parsers only. */
import type { Identifier, Node } from './node';
import type { OrderItem, QueryExpression } from './queries';
import type { TypeName } from './type-name';
import type { NonEmpty } from '../items';

export type Expression =
  | LiteralExpression
  | TypedLiteralExpression
  | IntervalExpression
  | ParameterExpression
  | PathExpression
  | FieldExpression
  | IndexExpression
  | UnaryExpression
  | BinaryExpression
  | IsExpression
  | LikeExpression
  | BetweenExpression
  | InExpression
  | CaseExpression
  | CastExpression
  | ExtractExpression
  | CallExpression
  | LambdaExpression
  | WithExpression
  | ArrayExpression
  | StructExpression
  | TupleExpression
  | SubqueryExpression
  | ExistsExpression
  | ArraySubqueryExpression;

/**
 * `'a'`, `b'a'`, `1`, `1.5`, `true`, `null`. Integers are decimal text, exact beyond 2^53; hexadecimal is converted to
 * decimal.
 */
export interface LiteralExpression extends Node {
  readonly kind: 'literal';
  readonly literal:
    | { readonly type: 'string'; readonly value: string }
    /** Two hexadecimal digits for each byte. */
    | { readonly type: 'bytes'; readonly hex: string }
    | { readonly type: 'integer'; readonly digits: string }
    | { readonly type: 'float'; readonly value: number }
    | { readonly type: 'bool'; readonly value: boolean }
    | { readonly type: 'null' };
}

/** `DATE '2026-03-01'`, `TIMESTAMP '..'`, `DATETIME '..'`; `text` is the decoded string, not yet validated. */
export interface TypedLiteralExpression extends Node {
  readonly kind: 'typed-literal';
  readonly type: 'DATE' | 'TIMESTAMP' | 'DATETIME' | 'TIME' | 'JSON';
  readonly text: string;
}

/** `INTERVAL 5 MINUTE`, `INTERVAL '1:30' HOUR TO MINUTE`. The units are upper case; the resolver checks them. */
export interface IntervalExpression extends Node {
  readonly kind: 'interval';
  readonly amount: Expression;
  readonly unit: Identifier;
  readonly to: Identifier | null;
}

/** `@name`. */
export interface ParameterExpression extends Node {
  readonly kind: 'parameter';
  readonly name: string;
}

/**
 * `a`, `a.b.c`: one or more dotted names as written. The resolver decides which are range variable, column or field.
 */
export interface PathExpression extends Node {
  readonly kind: 'path';
  readonly parts: NonEmpty<Identifier>;
}

/** `(expr).field`, `a[0].field`: a field of an expression that is not a plain path. */
export interface FieldExpression extends Node {
  readonly kind: 'field';
  readonly base: Expression;
  readonly field: Identifier;
}

/** `a[i]`, `a[OFFSET(i)]`, ... `mode` is `plain` for the bare form. */
export interface IndexExpression extends Node {
  readonly kind: 'index';
  readonly base: Expression;
  readonly mode: 'plain' | 'offset' | 'safe_offset' | 'ordinal' | 'safe_ordinal';
  readonly index: Expression;
}

export interface UnaryExpression extends Node {
  readonly kind: 'unary';
  readonly operator: '-' | '+' | '~' | 'NOT';
  readonly operand: Expression;
}

export type BinaryOperator =
  | '*'
  | '/'
  | '%'
  | '||'
  | '+'
  | '-'
  | '<<'
  | '>>'
  | '&'
  | '^'
  | '|'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'AND'
  | 'OR';

/**
 * `<>` is normalized to `!=`. A chain of operators of one precedence (`a AND b AND c`, `a + b - c`) nests to the left
 * without counting towards the depth limit, bounded by the node limit only: visitors iterate down `left`. All other
 * nesting is within the depth limit of `ParseLimits`, so recursion is safe.
 */
export interface BinaryExpression extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `x IS [NOT] NULL|TRUE|FALSE|UNKNOWN`, `x IS [NOT] DISTINCT FROM y`. */
export interface IsExpression extends Node {
  readonly kind: 'is';
  readonly operand: Expression;
  readonly negated: boolean;
  readonly test: 'NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN' | { readonly distinctFrom: Expression };
}

/** `x [NOT] LIKE p`, `x [NOT] ILIKE p`, `x [NOT] LIKE ANY | ALL (p, q)`; one pattern without a quantifier. */
export interface LikeExpression extends Node {
  readonly kind: 'like';
  readonly operand: Expression;
  readonly quantifier: 'ANY' | 'ALL' | null;
  readonly patterns: readonly Expression[];
  readonly negated: boolean;
  readonly caseInsensitive: boolean;
}

export interface BetweenExpression extends Node {
  readonly kind: 'between';
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
  readonly negated: boolean;
}

/** `x [NOT] IN (a, b)`, `x [NOT] IN (SELECT ..)`, `x [NOT] IN UNNEST(list)`. */
export interface InExpression extends Node {
  readonly kind: 'in';
  readonly operand: Expression;
  readonly negated: boolean;
  readonly choices:
    | { readonly kind: 'list'; readonly items: readonly Expression[] }
    | { readonly kind: 'subquery'; readonly query: QueryExpression }
    | { readonly kind: 'unnest'; readonly array: Expression };
}

export interface CaseExpression extends Node {
  readonly kind: 'case';
  /** `CASE operand WHEN ..`; null for the searched form. */
  readonly operand: Expression | null;
  readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
  readonly otherwise: Expression | null;
}

/** `CAST(x AS t)`, `SAFE_CAST(x AS t)`, `x::t`. */
export interface CastExpression extends Node {
  readonly kind: 'cast';
  readonly operand: Expression;
  readonly type: TypeName;
  readonly safe: boolean;
  /** `FORMAT 'YYYY-MM-DD' [AT TIME ZONE z]` */
  readonly format: { readonly pattern: Expression; readonly timeZone: Expression | null } | null;
}

/** `EXTRACT(part FROM x [AT TIME ZONE z])`. */
export interface ExtractExpression extends Node {
  readonly kind: 'extract';
  readonly part: Identifier;
  /** `MONDAY` in `WEEK(MONDAY)`. */
  readonly weekday: Identifier | null;
  readonly operand: Expression;
  readonly timeZone: Expression | null;
}

/** `WITH(a AS x, b AS a + 1, a * b)`: each name is visible behind it. */
export interface WithExpression extends Node {
  readonly kind: 'with';
  readonly variables: readonly { readonly name: Identifier; readonly expression: Expression }[];
  readonly body: Expression;
}

/** A call. `name` is upper case; `safe` is the `SAFE.` prefix. Absent aggregate modifiers are null or false. */
export interface CallExpression extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly namePosition: Identifier['position'];
  readonly safe: boolean;
  readonly args: readonly Expression[];
  /** `COUNT(*)`. */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly nulls: 'IGNORE' | 'RESPECT' | null;
  /** `SUM(x WHERE x > 1)`: which rows an aggregate reads. */
  readonly where: Expression | null;
  /** `SUM(x HAVING MAX y)`: only the rows whose `y` is the largest of the group. */
  readonly having: HavingExtreme | null;
  /** `SUM(AVG(x) GROUP BY y HAVING COUNT(*) > 1)`: the aggregate reads one row for each inner group. */
  readonly groups: InnerGroups | null;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly over: WindowSpecification | null;
}

export interface HavingExtreme extends Node {
  readonly kind: 'having-extreme';
  readonly which: 'MAX' | 'MIN';
  readonly key: Expression;
}

export interface InnerGroups extends Node {
  readonly kind: 'inner-groups';
  readonly keys: readonly Expression[];
  readonly having: Expression | null;
}

/** `OVER (..)`. `OVER w` has the name only, like `OVER (w)`. */
export interface WindowSpecification extends Node {
  readonly kind: 'window';
  /** A window of the WINDOW clause that this one extends. */
  readonly base: Identifier | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: WindowFrame | null;
}

export interface WindowFrame {
  readonly unit: 'ROWS' | 'RANGE';
  readonly start: FrameBound;
  /** Null when only the start is given (`ROWS 2 PRECEDING`). */
  readonly end: FrameBound | null;
}

export type FrameBound = Node &
  (
    | { readonly kind: 'unbounded-preceding' | 'unbounded-following' | 'current-row' }
    | { readonly kind: 'preceding' | 'following'; readonly amount: Expression }
  );

/** `e -> f(e)`, `(e, i) -> f(e, i)`: an argument of a call. */
export interface LambdaExpression extends Node {
  readonly kind: 'lambda';
  readonly parameters: NonEmpty<Identifier>;
  readonly body: Expression;
}

/** `[a, b]`, `ARRAY[a, b]`, `ARRAY<STRING>[a, b]`. */
export interface ArrayExpression extends Node {
  readonly kind: 'array';
  /** The type as written, `ARRAY<STRING>`; null if the items determine it. */
  readonly type: TypeName | null;
  readonly items: readonly Expression[];
}

/** `STRUCT(a AS x, b)`, `STRUCT<x INT64, STRING>(a, b)`. */
export interface StructExpression extends Node {
  readonly kind: 'struct';
  /** The type as written, `STRUCT<x INT64, STRING>`; null if the values determine it. */
  readonly type: TypeName | null;
  readonly fields: readonly { readonly name: Identifier | null; readonly value: Expression }[];
}

/** `(a, b)`: two or more expressions in parentheses, a struct without names. */
export interface TupleExpression extends Node {
  readonly kind: 'tuple';
  readonly items: readonly Expression[];
}

/** A scalar subquery. */
export interface SubqueryExpression extends Node {
  readonly kind: 'subquery';
  readonly query: QueryExpression;
}

export interface ExistsExpression extends Node {
  readonly kind: 'exists';
  readonly query: QueryExpression;
}

/** `ARRAY(SELECT ..)`. */
export interface ArraySubqueryExpression extends Node {
  readonly kind: 'array-subquery';
  readonly query: QueryExpression;
}
