/**
 * Resolved query for its readers: logical columns, and physical outputs created on demand. A SELECT creates them from
 * its select list; a set operation requests them from each branch.
 */
import type { SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import { sizeOf } from '../../ir/children';
import type { Expr } from '../../ir/expression';
import type { LogicalColumn, PhysicalOutput, SortItem } from '../../ir/plan';
import { BOOL, INT64, STRING, type Type } from '../../ir/types';
import { nullOf } from '../expressions/fold-conditions';
import { expressionKey } from '../../ir/passes/expression-key';
import { containsWindow } from './grouping/grouping';
import { secretField } from '../relations/redact-border';
import { typeAt, type Want } from '../relations/relation';
import type { Resolution } from '../resolution';
import { callOf, isConstant } from '../../ir/call';
import type { QueryDraft, SelectDraft, SetDraft } from '../drafts';
import { itemAt } from '../../items';

export interface NamedOutput {
  readonly name: string;
  readonly type: Type;
  /** Size of the expression behind it, see `sizeOf`. */
  readonly size: number;
}

/** An output column of a SELECT before it is requested. */
export interface SelectColumn {
  readonly name: string;
  /** Known before the value is read; by default the value's. */
  readonly type?: Type;
  value: Value;
}

export interface ResolvedQuery {
  readonly plan: QueryDraft;
  readonly columns: readonly LogicalColumn[];
  /** Whether each row is the value of its only column, which has no name of its own: SELECT AS VALUE. */
  readonly isValue: boolean;
  /** Position of each column, for errors. */
  readonly positions: readonly SourcePosition[];
  /** The physical output of a column, or of a nested field; created on first request. */
  output(column: number, path: readonly string[], want: Want): NamedOutput;
  alwaysPresent(column: number, path: readonly string[]): boolean;
  narrow(name: string, fromMicros: number, toMicros: number): void;
  /** Converts a column. Only allowed before outputs are created. */
  convert(column: number, type: Type, what: string): void;
  /** Values of a query that is one constant row; null for other queries. */
  constants(): readonly Value[] | null;
  /** The physical output by which an order key sorts; undefined if it cannot be returned. */
  nameOf(item: SortItem): string | undefined;
}

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

export class ResolvedSet implements ResolvedQuery {
  private readonly made = new Map<string, NamedOutput>();

  constructor(
    readonly plan: QueryDraft,
    private readonly set: SetDraft,
    private readonly branches: readonly ResolvedQuery[],
    readonly columns: readonly LogicalColumn[]
  ) {}

  get positions(): readonly SourcePosition[] {
    return this.branches[0]?.positions ?? [];
  }

  get isValue(): boolean {
    return this.branches.every((branch) => branch.isValue);
  }

  output(column: number, path: readonly string[], want: Want): NamedOutput {
    const key = JSON.stringify([column, path, want]);
    let output = this.made.get(key);
    if (output === undefined) {
      const type = want === 'presence' ? BOOL : (typeAt(this.columns[column]?.type ?? STRING, path) ?? STRING);
      const outputs = this.branches.map((branch) => branch.output(column, path, want));
      const branchOutputs = outputs.map(({ name }) => name);
      output = {
        name: `c${this.set.outputs.length + 1}`,
        type,
        size: Math.max(...outputs.map(({ size }) => size)),
      };
      this.set.outputs.push({ name: output.name, branchOutputs, type });
      this.made.set(key, output);
    }
    return output;
  }

  /** Compares a column of the branches, too, which is no column of the result. */
  compare(column: number, type: Type): void {
    const branchOutputs = this.branches.map((branch) => branch.output(column, [], 'value').name);
    this.set.outputs.push({ name: `c${this.set.outputs.length + 1}`, branchOutputs, type });
  }

  alwaysPresent(column: number, path: readonly string[]): boolean {
    return this.branches.every((branch) => branch.alwaysPresent(column, path));
  }

  narrow(name: string, fromMicros: number, toMicros: number): void {
    if (this.set.operator !== 'UNION ALL' || this.plan.limit !== null) return;
    const output = this.set.outputs.find((candidate) => candidate.name === name);
    if (output === undefined) return;
    this.branches.forEach((branch, index) => branch.narrow(itemAt(output.branchOutputs, index), fromMicros, toMicros));
  }

  convert(column: number, type: Type, what: string): void {
    this.branches.forEach((branch) => branch.convert(column, type, what));
    (this.columns as LogicalColumn[])[column] = { name: this.columns[column]?.name ?? '', type };
  }

  constants(): null {
    return null;
  }

  /** Sorts the rows of UNION ALL by their branches, if no other order is written. */
  keepBranchOrder(): void {
    if (this.set.operator !== 'UNION ALL' || this.plan.orderBy.length > 0 || this.branches.length < 2) return;
    const names = this.branches.map((branch, index) => {
      const expr: Expr = { kind: 'literal', type: INT64, value: BigInt(index) };
      return branch.nameOf({ expr, direction: 'ASC', nulls: 'FIRST', output: null });
    });
    const branchOutputs = names.filter((name) => name !== undefined);
    if (branchOutputs.length < names.length) return;
    const name = `c${this.set.outputs.length + 1}`;
    this.set.outputs.push({ name, branchOutputs, type: INT64 });
    this.plan.orderBy = [{ expr: nullOf(INT64), direction: 'ASC', nulls: 'FIRST', output: name }];
  }

  nameOf(item: SortItem): string | undefined {
    return item.output ?? undefined;
  }
}
