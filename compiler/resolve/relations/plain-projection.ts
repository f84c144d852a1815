/**
 * Plain projections: result columns that only pass on a text of an event. No expression reads them and the final pass
 * redacts them, more precisely than a store can, so the store need not redact them. A projection stays plain through
 * derived tables, WITH queries and UNION ALL; the redacted text is used where rows are compared (DISTINCT, groups,
 * other set operations) or sorted by it.
 */
import type { ColumnExpr, Expr } from '../../ir/expression';
import type { Resolution } from '../resolution';
import type { QueryDraft } from '../drafts';
import { QueryRelation } from './query-relation';
import { itemAt } from '../../items';

export class PlainProjections {
  private readonly made = new Map<QueryDraft, Map<string, string | undefined>>();

  /** @param isBorder whether a relation reads one of the saved query's named tables */
  constructor(
    private readonly resolution: Resolution,
    private readonly isBorder: (relation: number) => boolean
  ) {}

  /** Output with the unredacted text for a redacted output `name`; undefined if it is not plain. */
  of(plan: QueryDraft, name: string): string | undefined {
    const known = this.made.get(plan) ?? new Map<string, string | undefined>();
    this.made.set(plan, known);
    if (!known.has(name)) known.set(name, this.make(plan, name));
    return known.get(name);
  }

  private make(plan: QueryDraft, name: string): string | undefined {
    const { body } = plan;
    if (body.kind === 'select') {
      if (body.distinct || body.groupBy !== null) return undefined;
      const output = body.outputs.find((candidate) => candidate.name === name);
      const plain = output && this.plain(output.expr);
      if (plain === undefined) return undefined;
      const own = `c${body.outputs.length + 1}`;
      body.outputs.push({ name: own, expr: plain });
      return own;
    }
    if (body.operator !== 'UNION ALL') return undefined;
    const output = body.outputs.find((candidate) => candidate.name === name);
    if (output === undefined) return undefined;
    const branches = body.branches.map((branch, index) => this.of(branch, itemAt(output.branchOutputs, index)));
    if (branches.every((branch) => branch === undefined)) return undefined;
    const own = `c${body.outputs.length + 1}`;
    const branchOutputs = branches.map((branch, index) => branch ?? itemAt(output.branchOutputs, index));
    body.outputs.push({ name: own, branchOutputs, type: output.type });
    return own;
  }

  private plain(expr: Expr): Expr | undefined {
    if (expr.kind === 'redacted') {
      const { operand } = expr;
      return operand.kind === 'column' && this.isBorder(operand.relation) ? { ...operand, type: expr.type } : undefined;
    }
    return expr.kind === 'column' && !this.isBorder(expr.relation) ? this.passedOn(expr) : undefined;
  }

  private passedOn(column: ColumnExpr): Expr | undefined {
    const relation = this.resolution.relation(column.relation);
    const { input } = relation.plan;
    if (input.kind === 'common-table' && input.table.recursion) return undefined;
    const name = relation instanceof QueryRelation ? this.of(relation.query.plan, column.name) : undefined;
    return name === undefined ? undefined : { ...column, name };
  }
}
