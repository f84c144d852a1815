/**
 * Prints the expression that builds a JSON text from columns. Whether it is the stored text is compared for each row,
 * so that a NULL where the sample had none, or a text that needs escapes, makes no wrong text.
 */
import type { PhysicalType } from '#compiler/store';
import { jsonPointer } from '../../../common/json/json-pointer';
import { quoteName, quoteText } from '../tables/quoting';
import type { ColumnNode, RecordNode, Template, TemplateNode } from './json-template';

/** Piece of a text: a constant, or an expression that is printed as `''` where it is NULL. */
type Piece = { readonly text: string } | { readonly sql: string };

interface Style extends Pick<Template, 'pointed'> {
  /** Name of the column with the values that no other column has. */
  readonly rest: string;
}

export function printTemplate({ root, pointed }: Template, rest: string): string {
  return concat(recordPieces(root, { pointed, rest }));
}

function recordPieces(record: RecordNode, style: Style): readonly Piece[] {
  const members = record.keys.map((key) => [key, record.children.get(key)!] as const);
  const [first] = members;
  if (first === undefined) return [{ text: '{}' }];
  if (first[1].missing === 'absent') {
    const items = members.map(([key, node]) => memberOrNull(key, node, style, ''));
    return [{ text: '{' }, { sql: `concat_ws(',', ${items.join(', ')})` }, { text: '}' }];
  }
  const pieces = members.flatMap(([key, node], i): readonly Piece[] => {
    const comma = i === 0 ? '' : ',';
    if (node.missing === 'absent') return [{ sql: memberOrNull(key, node, style, comma) }];
    return [{ text: `${comma}${JSON.stringify(key)}:` }, ...valuePieces(key, node, style)];
  });
  return [{ text: '{' }, ...pieces, { text: '}' }];
}

/** Expression of a key with its value; NULL where there is no value. */
function memberOrNull(key: string, node: TemplateNode, style: Style, comma: string): string {
  const name = { text: `${comma}${JSON.stringify(key)}:` };
  if (node.missing !== 'absent') return concat([name, ...valuePieces(key, node, style)]);
  if (node.kind === 'record') return presentOnly(node, concat([name, ...recordPieces(node, style)]));
  return merged([name, ...leafPieces(key, node, style)])
    .map(printPiece)
    .join(' || ');
}

function presentOnly({ presence }: RecordNode, sql: string): string {
  return presence === null ? sql : `CASE WHEN ${quoteName(presence)} THEN ${sql} END`;
}

/** Pieces of a value that is there, or `null`. */
function valuePieces(key: string, node: TemplateNode, style: Style): readonly Piece[] {
  if (node.missing !== 'null') {
    return node.kind === 'record' ? recordPieces(node, style) : leafPieces(key, node, style);
  }
  if (node.kind === 'null') return [{ text: 'null' }];
  const value =
    node.kind === 'record'
      ? presentOnly(node, concat(recordPieces(node, style)))
      : leafPieces(key, node, style).map(printPiece).join(' || ');
  return [{ sql: `coalesce(${value}, 'null')` }];
}

function leafPieces(key: string, node: Exclude<TemplateNode, RecordNode>, { rest, pointed }: Style): readonly Piece[] {
  switch (node.kind) {
    case 'null':
      return [{ text: 'null' }];
    case 'rest':
      return [{ sql: `CAST(json_extract(${quoteName(rest)}, ${quoteText(jsonPointer(node.path))}) AS VARCHAR)` }];
    case 'column':
      return columnPieces(node, pointed.has(JSON.stringify(key)));
  }
}

function columnPieces({ column, type, form }: ColumnNode, isPointed: boolean): readonly Piece[] {
  const name = quoteName(column);
  if (type === 'STRING' && form === 'bare') return [{ sql: name }];
  if (type === 'STRING' && form === 'text') return [{ text: '"' }, { sql: name }, { text: '"' }];
  return [{ sql: jsonOf(name, type, isPointed) }];
}

/**
 * JSON text of a value. Fractions that are whole numbers have no point where JavaScript writes them. Zero is printed
 * without its sign: DuckDB (1.5.6) may store the sign of another row's zero, so texts with `-0.0` are kept whole.
 */
function jsonOf(name: string, type: PhysicalType, isPointed: boolean): string {
  switch (type) {
    case 'INT64':
    case 'BOOL':
      return `CAST(${name} AS VARCHAR)`;
    case 'FLOAT64': {
      const isWhole = `${name} = trunc(${name}) AND abs(${name}) < 1e15`;
      if (isPointed) return `CASE WHEN ${name} = 0 THEN '0.0' ELSE CAST(${name} AS VARCHAR) END`;
      return `CASE WHEN ${isWhole} THEN CAST(CAST(${name} AS BIGINT) AS VARCHAR) ELSE CAST(${name} AS VARCHAR) END`;
    }
    case 'ARRAY<FLOAT64>':
      return `regexp_replace(CAST(to_json(${name}) AS VARCHAR), '-0\\.0([],])', '0.0\\1', 'g')`;
    default:
      return `CAST(to_json(${name}) AS VARCHAR)`;
  }
}

function concat(pieces: readonly Piece[]): string {
  return `concat(${merged(pieces).map(printPiece).join(', ')})`;
}

function merged(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last !== undefined && 'text' in last && 'text' in piece) {
      result[result.length - 1] = { text: last.text + piece.text };
    } else {
      result.push(piece);
    }
  }
  return result;
}

function printPiece(piece: Piece): string {
  return 'text' in piece ? quoteText(piece.text) : piece.sql;
}
