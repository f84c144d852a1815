/** A set operation for its readers. */
import type { SourcePosition } from '../../ast';
import type { Expr } from '../../ir/expression';
import type { LogicalColumn, SortItem } from '../../ir/plan';
import { BOOL, INT64, STRING, type Type } from '../../ir/types';
import { itemAt } from '../../items';
import type { QueryDraft, SetDraft } from '../drafts';
import { nullOf } from '../expressions/fold-conditions';
import { typeAt, type Want } from '../relations/relation';
import type { NamedOutput, ResolvedQuery } from './resolved-query';

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

  literal(): null {
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
