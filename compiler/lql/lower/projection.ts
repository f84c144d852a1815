/** Lowers the columns of a row query. All columns are named; the tree never contains `*`. */
import type { SelectItem, SourcePosition } from '../../ast';
import { lqlError } from '../errors';
import type { LqlPath, SelectRule } from '../rules';
import { access, first, repeatedName } from './access';
import type { Lowering } from './lowering';
import { path, select } from './tree';

export function projection(selects: readonly SelectRule[], lowering: Lowering, whole: SourcePosition): SelectItem[] {
  const star = selects.find((rule) => rule.path === null);
  if (star === undefined && selects.length > 0) return namedColumns(selects, lowering);
  const redundant = selects.find((rule) => rule.path !== null);
  if (redundant !== undefined) {
    lowering.warn(
      'select_redundant',
      '"s:*" gives all columns: the other select clauses do nothing',
      redundant.position
    );
  }
  return allColumns(lowering, star?.position ?? whole);
}

/** Default column name, with underscores instead of dots: `metadata_request_path`. */
export function defaultName({ parts }: LqlPath): string {
  return parts.map(({ name }) => name).join('_');
}

/** @throws duplicate_alias with the hint */
export function ensureNewName(name: string, used: Set<string>, position: SourcePosition, hint: string): void {
  if (used.has(name)) throw lqlError('duplicate_alias', `two columns would be named "${name}"`, position, { hint });
  used.add(name);
}

function namedColumns(selects: readonly SelectRule[], { table }: Lowering): SelectItem[] {
  const used = new Set<string>();
  return selects.flatMap((rule) => {
    if (rule.path === null) return [];
    const value = first(access(rule.path, table));
    const name = rule.alias?.name ?? defaultName(rule.path);
    ensureNewName(name, used, rule.position, 'name one of them with an alias: s:path@name');
    return [select(value, name)];
  });
}

function allColumns({ table }: Lowering, position: SourcePosition): SelectItem[] {
  const names = new Set<string>();
  return table.columns.map(({ name }) => {
    if (names.has(name)) throw repeatedName(name, `table ${table.name}`, position);
    names.add(name);
    return select(path([table.alias, name], position), name);
  });
}
