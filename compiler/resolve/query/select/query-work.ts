/**
 * Bounds the work of planning a query, which grows faster than its text.
 *
 * Groups and windows that are computed from others: DuckDB 1.5.6 pushes conditions into what is below an aggregate or a
 * window twice, so the time doubles with each level. WITH queries that read others several times: ClickHouse analyzes
 * them again for each reader.
 */
import type { SourcePosition } from '../../../ast';
import type { Expr } from '../../../ir/expression';
import type { FromPlan, QueryPlan } from '../../../ir/plan';
import { children } from '../../../ir/walk/children';
import { failure } from '../../failure';

/** Levels of one query that DuckDB plans in 0.1 s to 1 s; queries beside each other share the work. */
const MAX_LEVELS = 16;
const MAX_WORK = 2 ** (MAX_LEVELS + 1);
/** Blocks that ClickHouse analyzes in about a second, beyond those that are written. */
const MAX_COPIES = 1024;

interface Work {
  /** Levels of groups and windows. */
  readonly levels: number;
  /** Blocks with each WITH query written out for each reader. */
  readonly copies: number;
}

const NONE: Work = { levels: 0, copies: 0 };

export class QueryWork {
  private readonly known = new WeakMap<QueryPlan, Work>();
  private groups = 0;
  private blocks = 0;

  /** @param copiesTables whether the store computes a WITH query again for each reader */
  constructor(private readonly copiesTables: boolean) {}

  /**
   * @param computes whether the block itself has groups or windows
   * @param exprs of the block, in which subqueries may be
   * @throws too_complex
   */
  note(plan: QueryPlan, computes: boolean, exprs: readonly Expr[], position: SourcePosition): void {
    if (plan.body.kind !== 'select') return;
    const { from, where } = plan.body;
    const below = sum([this.ofFrom(from), ...[...exprs, ...where].map((expr) => this.ofExpr(expr))]);
    const work = { levels: below.levels + (computes ? 1 : 0), copies: below.copies + 1 };
    this.known.set(plan, work);
    this.blocks += 1;
    if (computes) this.groups += 2 ** work.levels;
    if (this.groups > MAX_WORK) throw tooManyGroups(work.levels, position);
    if (this.copiesTables && work.copies > MAX_COPIES + this.blocks) throw tooManyCopies(position);
  }

  private ofPlan(plan: QueryPlan): Work {
    const known = this.known.get(plan);
    if (known !== undefined) return known;
    const { body } = plan;
    if (body.kind === 'set') return sum(body.branches.map((branch) => this.ofPlan(branch)));
    const below = this.ofFrom(body.from);
    return { levels: below.levels + (body.groupBy === null ? 0 : 1), copies: below.copies + 1 };
  }

  private ofFrom(from: FromPlan | null): Work {
    if (from === null) return NONE;
    if (from.kind === 'join') return sum([this.ofFrom(from.left), this.ofFrom(from.right)]);
    const { input } = from;
    if (input.kind === 'derived') return this.ofPlan(input.plan);
    if (input.kind === 'list') return this.ofExpr(input.list);
    return input.kind === 'common-table' && input.table.recursion === undefined ? this.ofPlan(input.table.plan) : NONE;
  }

  private ofExpr(expr: Expr): Work {
    const own = expr.kind === 'subquery' || expr.kind === 'in-subquery' ? [this.ofPlan(expr.plan)] : [];
    const parts = [...own, ...children(expr).map((child) => this.ofExpr(child))];
    return parts.length === 0 ? NONE : sum(parts);
  }
}

/** The work of queries beside each other. */
function sum(parts: readonly Work[]): Work {
  return parts.reduce(
    (all, { levels, copies }) => ({ levels: Math.max(all.levels, levels), copies: all.copies + copies }),
    NONE
  );
}

function tooManyGroups(levels: number, position: SourcePosition): Error {
  const isDeep = levels > MAX_LEVELS;
  return failure(
    'too_complex',
    `groups and windows are computed from each other ${isDeep ? `more than ${MAX_LEVELS} levels deep` : 'too often'}`,
    position,
    { maximum: MAX_LEVELS, hint: 'compute several aggregates in one query, and fewer from what others have computed' }
  );
}

function tooManyCopies(position: SourcePosition): Error {
  return failure('too_complex', 'WITH queries that read each other are computed too often', position, {
    maximum: MAX_COPIES,
    hint: 'ClickHouse computes a WITH query for each query that reads it: read each one fewer times',
  });
}
