/** Plans while names resolve: readers of a relation add the columns and bounds that they need. */
import type { Expr } from '../ir/expression';
import type {
  CommonTablePlan,
  PhysicalOutput,
  QueryPlan,
  RelationPlan,
  ScanInput,
  SelectPlan,
  SetOutput,
  SetPlan,
  SortItem,
  UnnestPlan,
} from '../ir/plan';
import type { Type } from '../ir/types';

export interface QueryDraft extends QueryPlan {
  readonly body: SelectDraft | SetDraft;
  orderBy: readonly SortItem[];
  limit: Expr | null;
  offset: Expr | null;
  value: string | null;
  ordered: boolean;
}

export interface SelectDraft extends SelectPlan {
  readonly outputs: PhysicalOutput[];
}

export interface SetDraft extends SetPlan {
  readonly branches: readonly QueryDraft[];
  readonly outputs: SetOutput[];
}

export interface ScanDraft extends ScanInput {
  readonly columns: Map<string, Type>;
  readonly presences: Map<string, ReadonlySet<string>>;
  nested: ScanInput['nested'];
  bounds: ScanInput['bounds'];
}

export interface RelationDraft extends RelationPlan {
  readonly unnests: UnnestPlan[];
}

export interface CommonTableDraft extends CommonTablePlan {
  readers: number;
}
