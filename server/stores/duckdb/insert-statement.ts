/**
 * Prints the statement that stores rows of one part. Rows arrive as a few texts that hold one entry per row each (ids, times,
 * messages, metadata as JSON lines); DuckDB's own JSON reader splits metadata into the typed columns. Measured, this takes a
 * quarter of the time of appending values one by one.
 */
import type { ScalarType } from '#contract/source';
import type { FieldNode } from '../ingest/field-tree';
import { columnTypeOf, duckDbType } from './column-types';
import { quoteName, quoteText } from './quoting';

/** Separates the entries of a text; no accepted event holds it. Metadata is on one line per row instead. */
export const SEPARATOR = '\0';

export const METADATA_COLUMN = 'metadata_json';

export interface InsertShape {
  readonly table: string;
  readonly ownColumns: readonly { readonly name: string; readonly type: ScalarType }[];
  /** Fields with a column in the table. */
  readonly fields: readonly FieldNode[];
  /** For event_message and each own column: whether a text of `0` and `1` tells which rows have a value. */
  readonly hasAbsent: readonly boolean[];
  /** Whether the typed columns are read from texts of their own. */
  readonly hasColumnsText: boolean;
}

/**
 * Parameters in order, texts except for metadata, which is the bytes of one: ids, times, metadata; then event_message and each own column, every one followed by its presence
 * text where `hasAbsent`; then the texts for the typed columns, if any (an empty one: same as metadata).
 */
export function printInsert(shape: InsertShape): string {
  const { table, ownColumns, fields, hasAbsent, hasColumnsText } = shape;
  let parameters = 3;
  const inner = [
    `unnest(string_split($1, chr(0))) AS id`,
    `make_timestamp(unnest(string_split($2, chr(0))::BIGINT[])) AS ts`,
    `unnest(string_split(decode($3), chr(10))) AS m`,
  ];
  const outer = ['id', 'ts'];
  [{ name: 'event_message', type: 'STRING' as const }, ...ownColumns].forEach(({ type }, i) => {
    inner.push(`unnest(string_split($${++parameters}, chr(0))) AS v${i}`);
    const value = type === 'STRING' ? `v${i}` : `TRY_CAST(v${i} AS ${duckDbType(type)})`;
    if (!hasAbsent[i]) return outer.push(value);
    inner.push(`unnest(string_split($${++parameters}, '')) AS p${i}`);
    return outer.push(`CASE WHEN p${i} = '1' THEN ${value} END`);
  });
  if (hasColumnsText) inner.push(`unnest(string_split($${++parameters}, chr(10))) AS c`);
  const document = hasColumnsText ? `CASE WHEN c = '' THEN m ELSE c END` : 'm';
  const { roots, values } = extractFields(fields, document);
  const names = ['id', 'timestamp', 'event_message', ...ownColumns.map(({ name }) => name)];
  const columns = [...names, ...fields.map((node) => node.column!), METADATA_COLUMN].map(quoteName);
  const rows =
    roots.length === 0
      ? `(SELECT ${inner.join(', ')})`
      : `(SELECT *, ${roots.join(', ')} FROM (SELECT ${inner.join(', ')}))`;
  return `INSERT INTO ${quoteName(table)} (${columns.join(', ')}) SELECT ${[...outer, ...values, 'm'].join(', ')} FROM ${rows}`;
}

/** A record of the document, with the fields in it that are wanted. */
interface Branch {
  readonly node: FieldNode | null;
  readonly children: Map<FieldNode, Branch>;
}

/**
 * One `from_json` for the whole document, with the path of each field below it. Struct fields ignore letter case, so of keys that
 * differ in nothing else all but the first are read by a `from_json` of their own.
 */
function extractFields(fields: readonly FieldNode[], document: string): { roots: string[]; values: string[] } {
  const top: Branch = { node: null, children: new Map() };
  for (const field of fields) grow(top, ancestry(field));
  const roots: string[] = [];
  const places = new Map<FieldNode, string>();

  function addRoot(source: string, branch: Branch): void {
    const place = `r${roots.length}`;
    const index = roots.push('') - 1;
    if (branch.node !== null) places.set(branch.node, place);
    const structure = describe(branch, place);
    roots[index] = `from_json(${source}, ${quoteText(JSON.stringify(structure))}) AS ${place}`;
  }

  function describe(branch: Branch, place: string): unknown {
    if (branch.children.size === 0) return branch.node === null ? null : leafStructure(branch.node);
    const structure: [string, unknown][] = [];
    const taken = new Set<string>();
    const separate: Branch[] = [];
    for (const child of branch.children.values()) {
      const { key } = child.node!;
      const isTaken = key === '' || taken.has(key.toLowerCase());
      taken.add(key.toLowerCase());
      if (isTaken) {
        separate.push(child);
        continue;
      }
      const childPlace = `${place}.${quoteName(key)}`;
      places.set(child.node!, childPlace);
      structure.push([key, describe(child, childPlace)]);
    }
    for (const child of separate) {
      addRoot(`json_extract(${document}, ${quoteText(jsonPointer(child.node!.path()))})`, child);
    }
    // A record without a wanted field of an allowed name is only looked at for its presence.
    return structure.length === 0 ? 'VARCHAR' : asObject(structure);
  }

  if (fields.length > 0) addRoot(document, top);
  return { roots, values: fields.map((field) => value(field, places.get(field)!)) };
}

function ancestry(field: FieldNode): FieldNode[] {
  const nodes: FieldNode[] = [];
  for (let node = field; node.parent !== null; node = node.parent) nodes.unshift(node);
  return nodes;
}

function grow(branch: Branch, path: readonly FieldNode[]): void {
  let at = branch;
  for (const node of path) {
    let child = at.children.get(node);
    if (child === undefined) at.children.set(node, (child = { node, children: new Map() }));
    at = child;
  }
}

function leafStructure(node: FieldNode): unknown {
  if (node.kind === 'record') return 'VARCHAR';
  const type = duckDbType(node.type ?? 'STRING');
  return node.kind === 'list' ? [type] : type;
}

function value(field: FieldNode, place: string): string {
  return field.kind === 'record' ? `${place} IS NOT NULL` : place;
}

/** `Object.fromEntries` would lose a key `__proto__` and reorder keys that look like numbers; order has no meaning here. */
function asObject(entries: readonly [string, unknown][]): unknown {
  const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) object[key] = value;
  return object;
}

/** A JSON pointer (RFC 6901). */
export function jsonPointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Whether a field and the column of a part agree, so that the field can be written there. */
export function hasColumnFor(columns: ReadonlyMap<string, string>, node: FieldNode): boolean {
  return node.column !== null && columns.get(node.column) === columnTypeOf(node);
}
