/** Scope of a SQL text: the table, the opened records, and their fields. */
import type { DescribedColumn, DescribedTable } from '#contract/queries/description';
import { CannotRead, samePath, type FieldPath } from '../model';
import type { TokenReader } from '../token-reader';

export interface Scope {
  readonly table: DescribedTable;
  /** Table or opened record by prefix in lower case. */
  readonly prefixes: ReadonlyMap<string, FieldPath>;
  readonly records: readonly FieldPath[];
  readonly keepsMissing: boolean;
}

const NOT_ALIASES = new Set(['where', 'group', 'order', 'limit', 'cross', 'left', 'inner', 'join', 'having']);

export function readFrom(reader: TokenReader, tables: readonly DescribedTable[]): Scope {
  if (reader.peek()?.text === '(') throw new CannotRead('It reads from a query inside the query.');
  const name = reader.name();
  const table = tables.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (!table) throw new CannotRead(`“${name}” is not a table of this endpoint.`);
  const prefixes = new Map<string, FieldPath>();
  const records: FieldPath[] = [];
  const kinds = new Set<string>();
  const alias = readAlias(reader) ?? name;
  prefixes.set(alias.toLowerCase(), []);
  for (;;) {
    const kind =
      reader.accept('cross', 'join') || reader.accept(',') ? 'cross' : reader.accept('left', 'join') ? 'left' : '';
    const isPlain = kind === '' && (reader.accept('join') || reader.accept('inner', 'join'));
    if (kind === '' && !isPlain) break;
    if (isPlain || !reader.accept('unnest', '(')) throw new CannotRead('It joins another table.');
    const path = readPath(reader, { table, prefixes, records, keepsMissing: false });
    reader.expect(')');
    const record = readAlias(reader);
    if (record === undefined) throw new CannotRead('It opens a record without a name.');
    if (prefixes.has(record.toLowerCase())) throw new CannotRead(`It gives the name “${record}” twice.`);
    if (records.some((each) => samePath(each, path))) throw new CannotRead('It opens a record twice.');
    prefixes.set(record.toLowerCase(), path);
    records.push(path);
    kinds.add(kind);
  }
  if (kinds.size > 1) throw new CannotRead('It opens some records with CROSS JOIN and others with LEFT JOIN.');
  return { table, prefixes, records, keepsMissing: kinds.has('left') };
}

export function readAlias(reader: TokenReader): string | undefined {
  if (reader.accept('as')) return reader.name();
  const token = reader.peek();
  return token && !NOT_ALIASES.has(token.text.toLowerCase()) ? reader.acceptName() : undefined;
}

/** A column, or a field of an opened record. */
export function readPath(reader: TokenReader, scope: Scope): FieldPath {
  const names = [reader.name()];
  while (reader.accept('.')) {
    const name = reader.acceptName(true);
    if (name === undefined) throw reader.unexpected();
    names.push(name);
  }
  const [first = '', second, ...rest] = names;
  const prefix = scope.prefixes.get(first.toLowerCase());
  const column = columnNamed(scope.table.columns, first);
  if (prefix !== undefined && (second !== undefined || column === undefined)) {
    if (second === undefined) throw new CannotRead(`“${first}” is a whole record.`);
    if (rest.length > 0) throw new CannotRead(`“${names.join('.')}” goes through a record that is not opened.`);
    const parents = fieldsOf(scope.table.columns, prefix);
    return [...prefix, columnNamed(parents, second)?.name ?? second];
  }
  if (second !== undefined) throw new CannotRead(`“${names.join('.')}” goes through a record that is not opened.`);
  if (!column)
    throw new CannotRead(`“${first}” is not a column of ${scope.table.name}; write the record before a field.`);
  return [column.name];
}

export function readColumn(reader: TokenReader, scope: Scope): string {
  const path = readPath(reader, scope);
  if (path.length > 1) throw new CannotRead('Its time is a field of a record.');
  return path[0]!;
}

function columnNamed(columns: readonly DescribedColumn[], name: string): DescribedColumn | undefined {
  return (
    columns.find((each) => each.name === name) ?? columns.find((each) => each.name.toLowerCase() === name.toLowerCase())
  );
}

function fieldsOf(columns: readonly DescribedColumn[], path: FieldPath): readonly DescribedColumn[] {
  return path.reduce<readonly DescribedColumn[]>((level, name) => columnNamed(level, name)?.fields ?? [], columns);
}
