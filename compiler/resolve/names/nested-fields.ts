/** Where the records of a log event have a field that was read as if it were a column: for hints. */
import type { Identifier } from '../../ast';
import type { LogicalColumn } from '../../ir/plan';
import { shownFields, type RecordShape, type Type } from '../../ir/types';
import { printField, printName } from '../../sql/canonical/print-name';

/** A value whose fields are looked at, as it is written. */
export interface Readable {
  readonly written: string;
  readonly type: Type;
}

/** Bounds the work for the events of a source with very many fields. */
const MAX_VISITED = 5000;
const MAX_PATHS = 2;

/**
 * `write metadata[0].request[0].path`, for the nearest fields of this name.
 *
 * @param path what was written: the name of a field, and names of its fields
 */
export function nestedHint(values: readonly Readable[], path: readonly Identifier[]): string | undefined {
  const [first, ...others] = path;
  if (first === undefined) return undefined;
  let level = values.flatMap(recordsOf);
  for (let visited = 0; level.length > 0 && visited < MAX_VISITED;) {
    const found: string[] = [];
    const next: OpenedRecord[] = [];
    for (const { written, shape } of level) {
      const fields = shownFields(shape);
      visited += fields.length;
      for (const [name, type] of fields) {
        const text = written + printField(plain(name));
        if (isSame(name, first)) found.push(text + fieldsBehind(type, others));
        else next.push(...recordsOf({ written: text, type }));
      }
    }
    if (found.length > 0) return `write ${found.slice(0, MAX_PATHS).join(' or ')}`;
    level = next;
  }
  return undefined;
}

interface OpenedRecord {
  readonly written: string;
  readonly shape: RecordShape;
}

/** A record that has to be opened to reach its fields. */
function recordsOf({ written, type }: Readable): readonly OpenedRecord[] {
  return type.kind === 'SINGLE' ? [{ written: `${written}[0]`, shape: type.shape }] : [];
}

/** Columns of a name of FROM, by that name where it is given. */
export function readableColumns(owner: string, columns: readonly LogicalColumn[]): readonly Readable[] {
  const shown = columns.filter(({ isHidden }) => isHidden !== true);
  return shown.map(({ name, type }) => ({
    written: owner === '' ? printName(plain(name)) : printName(plain(owner)) + printField(plain(name)),
    type,
  }));
}

/** Text of the fields that follow, with the records among them opened. */
function fieldsBehind(type: Type, [field, ...others]: readonly Identifier[]): string {
  if (field === undefined) return '';
  if (type.kind !== 'SINGLE') return printField(field) + others.map(printField).join('');
  const [name, inner] = shownFields(type.shape).find(([each]) => isSame(each, field)) ?? [field.name, undefined];
  const behind = inner === undefined ? others.map(printField).join('') : fieldsBehind(inner, others);
  return `[0]${printField(plain(name))}${behind}`;
}

function isSame(name: string, wanted: Identifier): boolean {
  return name.toLowerCase() === wanted.name.toLowerCase();
}

function plain(name: string): Pick<Identifier, 'name' | 'quoted'> {
  return { name, quoted: false };
}
