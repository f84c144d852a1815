/** Column names of fields in DuckDB, where names are case-insensitive: a name in use gets a number. */
import type { ColumnNaming } from '../../ingest/fields/field-tree';

const MAX_LENGTH = 200;
/** No own column of a source has a dot in its name. */
const PREFIX = 'metadata.';

export function isFieldColumn(name: string): boolean {
  return name.startsWith(PREFIX);
}

export const NUMBERED_NAMES: ColumnNaming = {
  fold: (name) => name.toLowerCase(),
  /**
   * `metadata.` and the dotted path, bounded in length; characters other than letters, digits, `_` and `-` become `_`.
   */
  nameOf({ path, isTaken }) {
    const plain = path.map((key) => key.replace(/[^A-Za-z0-9_-]/g, '_')).join('.');
    const base = `${PREFIX}${plain}`.slice(0, MAX_LENGTH);
    let name = base;
    for (let i = 2; isTaken(name); i++) name = `${base}~${i}`;
    return name;
  },
};
