/** The input of PIVOT and UNPIVOT: its columns, and which of them the operator reads. */
import type { SourcePosition } from '../../ast';
import type { Resolution } from '../resolution';
import { ExpressionResolver, type SubqueryResolver } from '../expressions/resolve-expression';
import { Scope, type RangeVariable } from '../names/scope';
import { columnsOf } from '../names/select-columns';
import type { Piece } from './from/from-piece';
import type { SelectColumn } from './resolved-query';

export interface OperatorPlace {
  readonly resolution: Resolution;
  readonly outer: Scope | null;
  readonly subquery: SubqueryResolver;
}

export class OperatorInput {
  private readonly scope: Scope;
  private readonly read = new Set<string>();

  constructor(
    private readonly piece: Piece,
    private readonly place: OperatorPlace
  ) {
    this.scope = new Scope(place.outer);
    piece.variables.forEach((variable, index) => this.scope.add(this.tracked(variable, index)));
  }

  /** @param aggregates whether aggregates are allowed */
  expressions(clause: string, aggregates: boolean): ExpressionResolver {
    const { resolution, subquery } = this.place;
    return new ExpressionResolver(
      resolution,
      this.scope,
      { clause, aggregates, windows: false, aliases: null },
      subquery
    );
  }

  /** Columns that no expression has read so far. */
  otherColumns(position: SourcePosition): SelectColumn[] {
    return this.piece.variables.flatMap((variable, owner) =>
      columnsOf(variable, position).filter((column) => !this.read.has(keyOf(owner, column.name)))
    );
  }

  private tracked(variable: RangeVariable, owner: number): RangeVariable {
    const { columns } = variable;
    return {
      ...variable,
      column: (index, mention) => {
        this.read.add(keyOf(owner, columns[index]?.name ?? ''));
        return variable.column(index, mention);
      },
      whole: (position) => {
        for (const { name } of columns) this.read.add(keyOf(owner, name));
        return variable.whole(position);
      },
    };
  }
}

function keyOf(owner: number, column: string): string {
  return `${owner}.${column}`;
}
