/** Pipe queries: a source and the steps that follow it, in order. */
import type { Expression } from './expressions';
import type { Identifier, Node } from './node';
import type {
  CommonTable,
  FromItem,
  GroupingItem,
  JoinedItem,
  LimitClause,
  NamedWindow,
  OrderItem,
  PivotItem,
  QueryBody,
  QueryExpression,
  Sampling,
  SelectBody,
  SelectExpression,
  SelectItem,
  SetOperator,
  UnpivotItem,
} from './queries';

/** `FROM ..` without SELECT: all columns. */
export interface FromBody extends Node {
  readonly kind: 'from';
  readonly from: FromItem;
}

/** `source |> step |> step`. */
export interface PipeBody extends Node {
  readonly kind: 'pipe';
  readonly source: QueryBody;
  readonly steps: readonly PipeStep[];
}

export type PipeStep =
  | PipeSelect
  | PipeExtend
  | PipeSet
  | PipeDrop
  | PipeRename
  | PipeAs
  | PipeWhere
  | PipeAggregate
  | PipeDistinct
  | PipeOrderBy
  | PipeLimit
  | PipeJoin
  | PipeSetOperation
  | PipeWith
  | PipePivot
  | PipeSample
  | PipeUnpivot;

export interface PipeSelect extends Node, Pick<SelectBody, 'distinct' | 'as' | 'items'> {
  readonly kind: 'pipe-select';
  readonly windows: readonly NamedWindow[];
}

/** `|> EXTEND`, or `|> WINDOW`, whose expressions must be calls with OVER. */
export interface PipeExtend extends Node {
  readonly kind: 'pipe-extend';
  readonly operator: 'EXTEND' | 'WINDOW';
  readonly items: readonly SelectItem[];
  readonly windows: readonly NamedWindow[];
}

export interface PipeSet extends Node {
  readonly kind: 'pipe-set';
  readonly items: readonly { readonly name: Identifier; readonly expression: Expression }[];
}

export interface PipeDrop extends Node {
  readonly kind: 'pipe-drop';
  readonly names: readonly Identifier[];
}

export interface PipeRename extends Node {
  readonly kind: 'pipe-rename';
  readonly items: readonly { readonly from: Identifier; readonly to: Identifier }[];
}

export interface PipeAs extends Node {
  readonly kind: 'pipe-as';
  readonly alias: Identifier;
}

export interface PipeWhere extends Node {
  readonly kind: 'pipe-where';
  readonly condition: Expression;
}

/** An item of AGGREGATE or its GROUP BY; `order` is ASC or DESC behind it, which sorts the result by it. */
export interface AggregateItem extends SelectExpression {
  readonly order: Pick<OrderItem, 'direction' | 'nulls'> | null;
}

/** A column to group by, or several grouping sets, whose keys are names of columns. */
export type PipeGroup = AggregateItem | Exclude<GroupingItem, { kind: 'expression' }>;

export interface PipeAggregate extends Node {
  readonly kind: 'pipe-aggregate';
  readonly items: readonly AggregateItem[];
  /** Null: one group of all rows. */
  readonly groupBy: {
    readonly items: readonly PipeGroup[];
    /** `GROUP AND ORDER BY`. */
    readonly ordered: boolean;
  } | null;
}

export interface PipeDistinct extends Node {
  readonly kind: 'pipe-distinct';
}

export interface PipeOrderBy extends Node {
  readonly kind: 'pipe-order-by';
  readonly items: readonly OrderItem[];
}

export interface PipeLimit extends Node {
  readonly kind: 'pipe-limit';
  readonly limit: LimitClause;
}

export interface PipeJoin extends JoinedItem {
  readonly kind: 'pipe-join';
}

/** `|> UNION ALL (..), (..)`: the table so far is the first branch. */
export interface PipeSetOperation extends Node, SetOperator {
  readonly kind: 'pipe-set-operation';
  readonly branches: readonly QueryExpression[];
}

export interface PipeWith extends Node {
  readonly kind: 'pipe-with';
  readonly tables: readonly CommonTable[];
}

export interface PipePivot extends Node, Pick<PivotItem, 'pivot' | 'alias'> {
  readonly kind: 'pipe-pivot';
}

export interface PipeUnpivot extends Node, Pick<UnpivotItem, 'unpivot' | 'alias'> {
  readonly kind: 'pipe-unpivot';
}

export interface PipeSample extends Node, Sampling {
  readonly kind: 'pipe-sample';
}
