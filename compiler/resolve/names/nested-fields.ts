/** Where the records of a log event have a field that was read as if it were a column: for hints. */
import type { Identifier } from '../../ast';
import { nearestName } from '#contract/nearest-name';
import type { LogicalColumn } from '../../ir/plan';
import { shownFields, type RecordShape, type Type } from '../../ir/types';
import { printField, printName } from '../../sql/canonical/expressions/print-name';

/** A value in whose fields a name is searched, and how a query writes it. */
export interface Readable {
  readonly written: string;
  readonly type: Type;
}

/** How a language writes what is inside of a value. */
export interface FieldWriter {
  field(owner: string, name: string): string;
  /** The record in an array of at most one. */
  opened(owner: string): string;
}

const SQL: FieldWriter = {
  field: (owner, name) => owner + printField({ name, quoted: false }),
  opened: (owner) => `${owner}[0]`,
};

/** Bounds the work for the events of a source with very many fields. */
const MAX_VISITED = 5000;
const MAX_PATHS = 2;
/** Maximum length of a key that a hint is looked up for. */
const MAX_KEY_LENGTH = 200;

/**
 * `write metadata[0].request[0].path`, for the nearest fields of this name.
 *
 * @param path what was written: the name of a field, and names of its fields
 */
export function nestedHint(
  values: readonly Readable[],
  path: readonly Identifier[],
  writer: FieldWriter = SQL
): string | undefined {
  return hintBy(isSame, values, path, writer) ?? hintBy(isAlike, values, path, writer);
}

/** As `nestedHint`, for fields that have all of the path. */
export function wholeHint(values: readonly Readable[], path: readonly Identifier[]): string | undefined {
  return hintBy(isSame, values, path, SQL, hasPath);
}

function hintBy(
  fits: (name: string, wanted: Identifier) => boolean,
  values: readonly Readable[],
  path: readonly Identifier[],
  writer: FieldWriter,
  has: (type: Type, path: readonly Identifier[]) => boolean = mayHave
): string | undefined {
  const [first, ...others] = path;
  if (first === undefined) return undefined;
  let level = values.flatMap((value) => recordsOf(value, writer));
  for (let visited = 0; level.length > 0 && visited < MAX_VISITED;) {
    const fields = level.flatMap(({ written, shape }) =>
      shownFields(shape).map(([name, type]) => ({ name, written: writer.field(written, name), type }))
    );
    visited += fields.length;
    const found = fields.filter(({ name, type }) => fits(name, first) && has(type, others));
    const texts = found.slice(0, MAX_PATHS).map(({ written, type }) => withFields(written, type, others, writer));
    if (texts.length > 0) return `write ${texts.join(' or ')}`;
    level = fields.flatMap((field) => recordsOf(field, writer));
  }
  return undefined;
}

/** The column or field that another store has in a map under this key: `write metadata[0].request[0].path`. */
export function keyHint(
  values: readonly Readable[],
  key: string,
  position: Identifier['position']
): string | undefined {
  if (key.length > MAX_KEY_LENGTH) return undefined;
  const column = values.find(({ written }) => written === key);
  if (column !== undefined) return `write ${column.written}`;
  const names = key.split('.').map((name) => ({ name, quoted: false, position }));
  return nestedHint(values, names);
}

/** For a name like none that there is, where events may have fields that got no name. */
export function noRoomHint(isFull: boolean | undefined, name: string, known: Iterable<string>): string | undefined {
  if (isFull !== true || nearestName(name, known) !== undefined) return undefined;
  return 'events may have it in the JSON text of metadata only, since their source has no room for another field; an operator can declare it';
}

/** `write metadata[0].request[0].path`, for fields that were read from records without opening them. */
export function openedHint(written: string, type: Type, path: readonly Identifier[]): string {
  return `write ${withFields(written, type, path, SQL)}`;
}

/** A field of the record in an array that has no short name. */
export function recordHint({ name }: Pick<Identifier, 'name'>): string {
  return `write [0]${printField({ name, quoted: false })} for a field of the record`;
}

/** For members of a text that may be JSON: `write JSON_VALUE(event_message, '$.user.id')`. */
export function memberHint(owner: string, keys: readonly string[]): string {
  const isPlain = keys.every((key) => key.length <= MAX_KEY_LENGTH && /^[A-Za-z_]\w*$/.test(key));
  return `if the text is JSON write JSON_VALUE(${owner}, '$.${isPlain ? keys.join('.') : 'name'}')`;
}

/** Columns of a name of FROM, by that name where it is given. */
export function readableColumns(owner: string, columns: readonly LogicalColumn[]): readonly Readable[] {
  const before = owner === '' ? '' : printName({ name: owner, quoted: false });
  return columns
    .filter(({ isHidden }) => isHidden !== true)
    .map(({ name, type }) => ({
      written: before === '' ? printName({ name, quoted: false }) : SQL.field(before, name),
      type,
    }));
}

interface OpenedRecord {
  readonly written: string;
  readonly shape: RecordShape;
}

/** Whether names can follow that of a field of this type. */
function mayHave(type: Type, path: readonly Identifier[]): boolean {
  if (path.length === 0) return true;
  return type.kind === 'ARRAY' ? mayHave(type.element, path) : /^(?:SINGLE|RECORD|STRUCT|JSON)$/.test(type.kind);
}

/** Whether records of this type have a path of fields. */
function hasPath(type: Type, path: readonly Identifier[]): boolean {
  const [field, ...others] = path;
  if (field === undefined) return true;
  if (type.kind !== 'SINGLE') return mayHave(type, path);
  const found = shownFields(type.shape).find(([name]) => isSame(name, field));
  return found !== undefined && hasPath(found[1], others);
}

/** A record that has to be opened to reach its fields. */
function recordsOf({ written, type }: Readable, writer: FieldWriter): readonly OpenedRecord[] {
  return type.kind === 'SINGLE' ? [{ written: writer.opened(written), shape: type.shape }] : [];
}

/** The value with the fields that follow, and the records among them opened. */
function withFields(
  written: string,
  type: Type | undefined,
  [field, ...others]: readonly Identifier[],
  writer: FieldWriter
): string {
  if (field === undefined) return written;
  if (type?.kind !== 'SINGLE') return withFields(writer.field(written, field.name), undefined, others, writer);
  const [name, inner] = shownFields(type.shape).find(([each]) => isSame(each, field)) ?? [field.name, undefined];
  return withFields(writer.field(writer.opened(written), name), inner, others, writer);
}

function isSame(name: string, wanted: Identifier): boolean {
  return name.toLowerCase() === wanted.name.toLowerCase();
}

/** `statusCode` and `status_code` are alike. */
function isAlike(name: string, wanted: Identifier): boolean {
  return letters(name) === letters(wanted.name);
}

function letters(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
