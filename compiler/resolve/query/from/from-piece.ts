/** Intermediate results of resolving FROM. */
import type { Expr } from '../../../ir/expression';
import type { FromPlan } from '../../../ir/plan';
import type { MergedColumn, RangeVariable } from '../../names/scope';

/** A piece of FROM. `plan` null means one row without columns. */
export interface Piece {
  readonly plan: FromPlan | null;
  readonly variables: readonly RangeVariable[];
  /** Relations of this piece. */
  readonly relations: readonly number[];
  /** Conditions of opened records on the rows of this piece. */
  readonly conditions: readonly Expr[];
  readonly merged: readonly MergedColumn[];
  /** Whether a list opened by LEFT JOIN UNNEST keeps rows of the items to its left. */
  readonly keepsLeft?: boolean;
}

export const NOTHING_MERGED: Piece['merged'] = [];
