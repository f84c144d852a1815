/** A SELECT for its readers. */
import type { SourcePosition } from '../../../ast';
import type { Value } from '../../../functions/function';
import { callOf, isConstant } from '../../../ir/operations/call';
import { sizeOf } from '../../../ir/walk/children';
import type { Expr } from '../../../ir/expression';
import { expressionKey } from '../../../ir/passes/expression-key';
import type { LogicalColumn, PhysicalOutput, SortItem } from '../../../ir/plan';
import { BOOL, STRING, type Type } from '../../../ir/types';
import { itemAt } from '../../../items';
import type { QueryDraft, SelectDraft } from '../../drafts';
import { secretField } from '../../relations/redact-border';
import { typeAt, type Want } from '../../relations/relation';
import type { Resolution } from '../../resolution';
import { containsWindow } from '../grouping/grouping';
import type { NamedOutput, ResolvedQuery, SelectColumn } from '../resolved-query';

export class ResolvedSelect implements ResolvedQuery {
  private readonly made = new Map<string, PhysicalOutput>();

  constructor(
    private readonly resolution: Resolution,
    readonly plan: QueryDraft,
    private readonly select: SelectDraft,
    private readonly selected: SelectColumn[],
    readonly isValue = false
  ) {}

  get columns(): readonly LogicalColumn[] {
    return this.selected.map((column) => ({ name: column.name, type: column.type ?? column.value.type }));
  }

  get positions(): readonly SourcePosition[] {
    return this.selected.map(({ value }) => value.position);
  }

  output(column: number, path: readonly string[], want: Want): NamedOutput {
    const { value } = itemAt(this.selected, column);
    const expr = this.below(value, path, want);
    const type = want === 'presence' ? BOOL : (typeAt(value.type, path) ?? expr.type);
    return { name: this.add(expr), type, size: sizeOf(expr) };
  }

  /** Creates a physical output for any expression over this query's FROM. */
  add(expr: Expr): string {
    const key = expressionKey(expr);
    let output = this.made.get(key);
    if (output === undefined) {
      output = { name: `c${this.select.outputs.length + 1}`, expr };
      this.made.set(key, output);
      this.select.outputs.push(output);
    }
    return output.name;
  }

  alwaysPresent(column: number, path: readonly string[]): boolean {
    const { expr } = itemAt(this.selected, column).value;
    if (expr.kind !== 'lazy-record') return false;
    const relation = this.resolution.relation(expr.relation);
    return !this.resolution.isNullable(expr.relation) && relation.alwaysPresent(expr.column, [...expr.path, ...path]);
  }

  narrow(name: string, fromMicros: number, toMicros: number): void {
    const { groupBy, qualify, distinct, outputs } = this.select;
    if (groupBy !== null || qualify !== null || distinct || this.plan.limit !== null || this.hasWindow()) return;
    const expr = outputs.find((output) => output.name === name)?.expr;
    if (expr?.kind === 'column') {
      this.resolution.relation(expr.relation).narrow(expr.name, fromMicros, toMicros);
    }
  }

  convert(column: number, type: Type, what: string): void {
    const selected = itemAt(this.selected, column);
    selected.value = this.resolution.coerce(selected.value, type, what);
  }

  constants(): readonly Value[] | null {
    const { from, where, groupBy, having, qualify, distinct } = this.select;
    const plain = from === null && where.length === 0 && groupBy === null && having === null && qualify === null;
    if (!plain || distinct || this.plan.limit !== null || this.plan.offset !== null) return null;
    const values = this.selected.map(({ value }) => value);
    return values.every(({ expr }) => isConstant(expr)) ? values : null;
  }

  literal(column: number): Value | null {
    const { groupBy, distinct } = this.select;
    if (groupBy !== null || distinct || this.plan.limit !== null) return null;
    const { value } = itemAt(this.selected, column);
    return value.text === 'literal' || value.fields !== undefined ? value : null;
  }

  nameOf(item: SortItem): string | undefined {
    return item.output ?? (this.select.distinct ? undefined : this.add(item.expr));
  }

  private hasWindow(): boolean {
    return this.select.outputs.some(({ expr }) => containsWindow(expr));
  }

  private below(value: Value, path: readonly string[], want: Want): Expr {
    const { expr } = value;
    if (expr.kind === 'lazy-record') {
      const mention = { display: expr.display, position: expr.position };
      const relation = this.resolution.relation(expr.relation);
      return relation.demand(expr.column, [...expr.path, ...path], want, mention);
    }
    const whole = this.resolution.materialize(value);
    const at: Expr =
      path.length === 0 ? whole : { kind: 'json-field', base: whole, path, type: typeAt(value.type, path) ?? STRING };
    return want === 'value'
      ? secretField(at, path, this.resolution.input.redaction)
      : callOf('is_not_null', [at], BOOL);
  }
}
