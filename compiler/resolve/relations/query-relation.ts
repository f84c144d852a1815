/** A query in FROM. */
import type { ColumnExpr, Expr } from '../../ir/expression';
import type { LogicalColumn } from '../../ir/plan';
import type { RelationDraft } from '../drafts';
import type { ResolvedQuery } from '../query/resolved-query';
import type { CommonTable } from '../resolution';
import { redactedExpr, secretField } from './redact-border';
import type { Mention, Relation, Want } from './relation';

/** A WITH query read in FROM, or a derived table. */
export class QueryRelation implements Relation {
  readonly columns: readonly LogicalColumn[];
  readonly plan: RelationDraft;

  constructor(
    readonly id: number,
    readonly query: ResolvedQuery,
    private readonly commonTable: CommonTable | null
  ) {
    this.columns = query.columns;
    this.plan = {
      kind: 'relation',
      id,
      input: commonTable ? { kind: 'common-table', table: commonTable.plan } : { kind: 'derived', plan: query.plan },
      unnests: [],
    };
  }

  demand(column: number, path: readonly string[], want: Want, mention: Mention): Expr {
    const { name, type, size } = this.query.output(column, path, want);
    const value: ColumnExpr = { kind: 'column', relation: this.id, name, type, size, ...mention };
    return want === 'value' && path.length === 0 ? this.named(column, this.atBorder(value)) : this.atBorder(value);
  }

  /**
   * Hides a text whose name is that of a credential, as in the final redaction of rows. Numbers such as counts may have
   * such names.
   */
  private named(column: number, expr: Expr): Expr {
    const isText = expr.type.kind === 'STRING' || expr.type.kind === 'BYTES' || expr.type.kind === 'ARRAY';
    const name = this.columns[column]?.name ?? '';
    return this.isBorder && isText ? secretField(expr, [name], this.commonTable?.redaction ?? null) : expr;
  }

  /** Redacts values that pass from events to a caller's expression; every value of the relation passes here. */
  atBorder(expr: Expr): Expr {
    const redaction = this.commonTable?.redaction ?? null;
    return redaction === null ? expr : redactedExpr(expr, redaction);
  }

  get isBorder(): boolean {
    return (this.commonTable?.redaction ?? null) !== null;
  }

  alwaysPresent(column: number, path: readonly string[]): boolean {
    return this.query.alwaysPresent(column, path);
  }

  narrow(name: string, fromMicros: number, toMicros: number): void {
    if (this.commonTable !== null && this.commonTable.plan.readers > 1) return;
    this.query.narrow(name, fromMicros, toMicros);
  }
}
