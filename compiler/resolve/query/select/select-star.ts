/** Expands `*` in a select list. */
import type { Identifier, SelectStar, SourcePosition } from '../../../ast';
import type { Value } from '../../../functions/function';
import { containsSubquery } from '../../../ir/walk/children';
import { shortTypeName, shownFields } from '../../../ir/types';
import type { ExpressionResolver } from '../../expressions/resolve-expression';
import { failure } from '../../failure';
import { fieldOf, resolvePath } from '../../names/resolve-path';
import { sameName, type Scope, unknownColumn } from '../../names/scope';
import { columnsOf } from '../../names/select-columns';
import type { Resolution } from '../../resolution';
import type { SelectColumn } from '../resolved-query';
import type { NonEmpty } from '../../../items';

export class StarResolver {
  constructor(
    private readonly scope: Scope,
    private readonly resolution: Resolution
  ) {}

  /**
   * Columns of `*`, `t.*`, `t.record.*` or `any_value(t).*` with EXCEPT and REPLACE.
   *
   * @throws unknown_column, type_mismatch
   */
  columns(item: SelectStar, items: ExpressionResolver): SelectColumn[] {
    const all = this.allColumns(item, items);
    const missing = [...item.except, ...item.replace.map((r) => r.name)].find(
      (name) => !all.some((column) => sameName(column.name, name.name))
    );
    if (missing)
      throw unknownColumn(
        missing,
        null,
        all.map((column) => column.name)
      );
    const doubled = item.replace.find(
      ({ name }) => all.filter((column) => sameName(column.name, name.name)).length > 1
    );
    if (doubled) {
      throw failure('ambiguous_column', `column "${doubled.name.name}" of REPLACE is ambiguous`, doubled.name.position);
    }
    return all
      .filter((column) => !item.except.some((name) => sameName(name.name, column.name)))
      .map((column) => {
        const replacement = item.replace.find(({ name }) => sameName(name.name, column.name));
        return replacement ? { name: column.name, value: items.resolve(replacement.expression) } : column;
      });
  }

  private allColumns({ operand, qualifier, position }: SelectStar, items: ExpressionResolver): SelectColumn[] {
    if (operand !== null) {
      const before = this.resolution.copiedSubqueries;
      return this.fieldsOf(items.resolve(operand), before, operand.position);
    }
    const [first, ...others] = qualifier;
    return first === undefined ? this.all(position) : this.qualified([first, ...others]);
  }

  /**
   * The fields of a record. Each copies the value, so that subqueries of several levels would be copied exponentially
   * often.
   * @param before number of copied subqueries before the record was resolved
   */
  fieldsOf(record: Value, before: number, position: SourcePosition): SelectColumn[] {
    if (containsSubquery(record.expr)) {
      if (this.resolution.copiedSubqueries > before) {
        throw failure('too_complex', '.* of a subquery stands inside of another', position, {
          hint: 'write the inner one as a WITH query',
        });
      }
      this.resolution.copiedSubqueries += 1;
    }
    return this.fields(record, 'the record', position);
  }

  private all(position: SourcePosition): SelectColumn[] {
    if (this.scope.variables.length === 0) {
      throw failure('unknown_column', 'SELECT * needs a FROM', position);
    }
    const { variables, merged } = this.scope;
    const listed = variables.filter(({ isQualifiedOnly }) => isQualifiedOnly !== true);
    return listed.flatMap((variable) => {
      const joined = merged.filter(({ first }) => first === variable);
      const own = columnsOf(variable, position).filter(
        ({ name }) => !merged.some((column) => sameName(column.name, name) && column.owners.includes(variable))
      );
      return [...joined.map((column) => ({ name: column.name, value: column.value(position) })), ...own];
    });
  }

  private qualified(qualifier: NonEmpty<Identifier>): SelectColumn[] {
    const [first] = qualifier;
    const position = first.position;
    for (let scope: Scope | null = qualifier.length === 1 ? this.scope : null; scope; scope = scope.parent) {
      const variable = scope.variable(first.name);
      if (variable) return columnsOf(variable, position);
    }
    return this.fields(resolvePath(qualifier, this.scope), first.name, position);
  }

  /** @param owner its name in messages */
  private fields(value: Value, owner: string, position: SourcePosition): SelectColumn[] {
    if (value.type.kind !== 'STRUCT' && value.type.kind !== 'RECORD') {
      throw failure('type_mismatch', `.* needs a table or a record, found ${shortTypeName(value.type)}`, position);
    }
    const names =
      value.type.kind === 'STRUCT'
        ? value.type.fields.map((field) => field.name)
        : shownFields(value.type.shape).map(([name]) => name);
    return names.map((name) => ({
      name,
      value: this.settled(fieldOf(value, { name, quoted: true, position }, owner)),
    }));
  }

  private settled(value: Value): Value {
    const { expr } = value;
    if (expr.kind !== 'lazy-record' || value.type.kind === 'SINGLE' || value.type.kind === 'RECORD') return value;
    return { ...value, expr: this.resolution.materialize(value) };
  }
}
