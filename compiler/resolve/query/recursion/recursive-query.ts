/** A WITH query that reads itself: a union of its base and of a step that reads the rows of the step before. */
import type { QueryBody, SourcePosition } from '../../../ast';
import type { FromPlan, LogicalColumn, QueryPlan, SetOutput } from '../../../ir/plan';
import type { Site } from '../../../ast/site';
import { BOOL, STRING } from '../../../ir/types';
import type { CommonTableDraft, QueryDraft, SetDraft } from '../../drafts';
import { failure } from '../../failure';
import { typeAt, type Want } from '../../relations/relation';
import { containsWindow } from '../grouping/grouping';
import type { NamedOutput, ResolvedQuery } from '../resolved-query';
import type { RecursiveTerms } from './recursive-tables';

interface Demand {
  readonly column: number;
  readonly path: readonly string[];
  readonly want: Want;
  readonly names: string[];
}

export class RecursiveQuery implements ResolvedQuery {
  readonly isValue = false;

  readonly plan: QueryDraft;
  readonly columns: readonly LogicalColumn[];
  /** The query as its step reads it; its name follows when that of the query is known. */
  readonly self: { -readonly [Key in keyof CommonTableDraft]: CommonTableDraft[Key] };
  private readonly outputs: SetOutput[] = [];
  private readonly branches: QueryDraft[];
  private readonly made = new Map<string, NamedOutput>();
  private pending: Demand[] = [];
  private step: ResolvedQuery | null = null;

  constructor(
    private readonly base: ResolvedQuery,
    readonly operator: RecursiveTerms['operator'],
    site: Site | null
  ) {
    this.columns = [...base.columns];
    this.branches = [base.plan];
    const body: SetDraft = { kind: 'set', operator, branches: this.branches, outputs: this.outputs };
    this.plan = { kind: 'query', body, orderBy: [], limit: null, offset: null, value: null, ordered: false };
    this.self = { name: '', plan: this.plan, readers: 0 };
    this.self.recursion = { self: this.self, site };
  }

  /** Adds the resolved step, whose columns have the types of the base. */
  complete(step: ResolvedQuery): void {
    this.step = step;
    this.branches.push(step.plan);
    // Distinct rows are compared as a whole.
    if (this.operator !== 'UNION ALL') this.columns.forEach((_, index) => this.output(index, [], 'value'));
    const { pending } = this;
    this.pending = [];
    for (const demand of pending) this.fill(demand);
  }

  get positions(): readonly SourcePosition[] {
    return this.base.positions;
  }

  output(column: number, path: readonly string[], want: Want): NamedOutput {
    const key = JSON.stringify([column, path, want]);
    let output = this.made.get(key);
    if (output === undefined) {
      const type = want === 'presence' ? BOOL : (typeAt(this.columns[column]?.type ?? STRING, path) ?? STRING);
      output = { name: `c${this.outputs.length + 1}`, type, size: 1 };
      const names: string[] = [];
      this.made.set(key, output);
      this.outputs.push({ name: output.name, branchOutputs: names, type });
      const demand = { column, path, want, names };
      if (this.step === null) this.pending.push(demand);
      else this.fill(demand);
    }
    return output;
  }

  alwaysPresent(): boolean {
    return false;
  }

  narrow(): void {
    // A step may read rows outside of the bounds.
  }

  convert(): void {
    throw new Error('the types of a recursive query are those of its base');
  }

  constants(): null {
    return null;
  }

  literal(): null {
    return null;
  }

  nameOf(): undefined {
    return undefined;
  }

  private fill({ column, path, want, names }: Demand): void {
    for (const branch of [this.base, this.step as ResolvedQuery]) names.push(branch.output(column, path, want).name);
  }
}

/** @throws bad_recursion for a step that GoogleSQL does not allow */
export function checkStep(step: ResolvedQuery, { self }: RecursiveQuery, name: string, { position }: QueryBody): void {
  const refuse = (message: string): never => {
    throw failure('bad_recursion', message, position, { name });
  };
  if (self.readers !== 1) refuse(`the last query of the UNION must read "${name}" once`);
  const readsSelf = (from: FromPlan): boolean => {
    if (from.kind === 'join') {
      const [left, right] = [readsSelf(from.left), readsSelf(from.right)];
      const isOptional =
        (left && ['RIGHT', 'FULL'].includes(from.join)) || (right && ['LEFT', 'FULL'].includes(from.join));
      if (isOptional) refuse(`"${name}" cannot be on the optional side of an outer join`);
      return left || right;
    }
    const { input } = from;
    if (input.kind === 'common-table') return input.table === self;
    return input.kind === 'derived' && planReadsSelf(input.plan);
  };
  const planReadsSelf = (plan: QueryPlan): boolean => {
    const { body } = plan;
    if (body.kind === 'set') {
      if (body.branches.some(planReadsSelf)) refuse(`"${name}" cannot be read in a set operation inside of the step`);
      return false;
    }
    if (body.from === null || !readsSelf(body.from)) return false;
    if (body.distinct || body.groupBy !== null) refuse(`a query that reads "${name}" cannot group or use DISTINCT`);
    if (body.qualify !== null || body.outputs.some(({ expr }) => containsWindow(expr))) {
      refuse(`a query that reads "${name}" cannot use window functions`);
    }
    if (plan.orderBy.length > 0 || plan.limit !== null || plan.offset !== null) {
      refuse(`a query that reads "${name}" takes no ORDER BY and no LIMIT`);
    }
    return true;
  };
  if (!planReadsSelf(step.plan)) refuse(`"${name}" can be read in FROM of the step only, not in a subquery or in WITH`);
}
