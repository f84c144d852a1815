/** Describes output columns and sandbox tables with their nested fields and types, for completion in editors. */
import type { DescribedColumn, DescribeResult } from '#contract/queries/description';
import { outputColumns } from './ir/output-type';
import type { LogicalColumn } from './ir/plan';
import { shortTypeName, shownFields, type Type } from './ir/types';
import type { ResolvedStatement } from './resolve/resolve-statement';

export function describeStatement(statement: ResolvedStatement, sandbox: boolean): DescribeResult {
  return {
    fields: resultColumns(statement),
    tables: sandbox
      ? statement.tables.tables.map(({ name, query }) => ({ name, columns: query.columns.map(describeColumn) }))
      : [],
    sources: [...statement.resolution.usedSources],
  };
}

function resultColumns({ query }: ResolvedStatement): readonly DescribedColumn[] {
  const names = outputColumns(query.columns).map(({ name }) => name);
  return query.columns.map((column, index) => ({ ...describeColumn(column), name: names[index] ?? column.name }));
}

function describeColumn({ name, type }: LogicalColumn): DescribedColumn {
  const fields = fieldsOf(type);
  return { name, type: shortTypeName(type), ...(fields === undefined ? {} : { fields }) };
}

function fieldsOf(type: Type): readonly DescribedColumn[] | undefined {
  switch (type.kind) {
    case 'RECORD':
    case 'SINGLE':
      return shownFields(type.shape).map(([name, field]) => describeColumn({ name, type: field }));
    case 'STRUCT':
      return type.fields.map(describeColumn);
    case 'ARRAY':
      return fieldsOf(type.element);
    default:
      return undefined;
  }
}
