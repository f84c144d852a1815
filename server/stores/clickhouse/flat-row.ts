/**
 * Writes rows in ClickHouse's input format: one JSON object per line, with the fields of metadata under their column
 * names. Walks the JSON text of metadata in step with the field tree and copies values unchanged.
 */
import type { ScalarType, Source } from '#contract/source';
import type { EventRow } from '../ingest/event-row';
import type { FieldNode, FieldTree } from '../ingest/field-tree';
import { JsonLexer } from '../../common/json/json-lexer';
import { decodeJsonString } from '../../common/json/json-tree';
import { Token } from '../../common/json/json-token';
import { findByKey } from '../ingest/keyed-node';
import { FIELDS_COLUMN, hasColumn, INSERT_COLUMN, METADATA_COLUMN } from './layout';
import { timeText } from './time-text';

/** `,"name":` of a field, and whether the table has a column of that name. */
interface Place {
  readonly column: string;
  readonly key: Buffer;
  readonly isReal: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export class FlatRowWriter extends JsonLexer {
  private readonly tree: FieldTree;
  private readonly ownColumns: readonly (readonly [string, ScalarType])[];
  private readonly isReal: (node: FieldNode) => boolean;
  private readonly places = new Map<FieldNode, Place>();
  /** Output for the columns; `paths` is the output for the JSON column. */
  private readonly columns = new Output();
  private readonly paths = new Output();

  /** @param isReal true when the table has a column for a field */
  constructor(tree: FieldTree, { columns }: Pick<Source, 'columns'>, isReal: (node: FieldNode) => boolean) {
    super();
    this.tree = tree;
    this.ownColumns = Object.entries(columns);
    this.isReal = isReal;
  }

  /**
   * @param mark of the insert; null: the table has no column for it
   * @returns the line of a row, with its newline
   */
  write(row: EventRow, mark: bigint | null): Buffer {
    const { columns, paths } = this;
    columns.clear();
    paths.clear();
    columns.text(`{"id":${JSON.stringify(row.id)},"timestamp":"${timeText(row.micros)}"`);
    if (mark !== null) columns.text(`,"${INSERT_COLUMN}":${mark}`);
    if (row.message !== null) columns.text(`,"event_message":${JSON.stringify(row.message)}`);
    this.ownColumns.forEach(([name, type], i) => {
      const value = row.own[i] ?? null;
      // ClickHouse reads a quoted number, but no quoted boolean.
      const text = type === 'BOOL' ? value : JSON.stringify(value);
      if (value !== null) columns.text(`,${JSON.stringify(name)}:${text}`);
    });
    this.walk(row);
    columns.text(`,"${METADATA_COLUMN}":"`);
    columns.escaped(row.buffer, row.metadataStart, row.metadataEnd);
    columns.text(`","${FIELDS_COLUMN}":{`);
    // Skips the comma before the first path.
    columns.bytes(paths.buffer, Math.min(1, paths.length), paths.length);
    columns.text('}}\n');
    return Buffer.from(columns.buffer.subarray(0, columns.length));
  }

  private walk({ buffer, metadataStart, metadataEnd, columnsText }: EventRow): void {
    if (columnsText === null) this.open(buffer, metadataStart, metadataEnd);
    else {
      const text = Buffer.from(columnsText, 'utf8');
      this.open(text, 0, text.length);
    }
    this.walkRecord(this.tree.root);
  }

  private walkRecord(record: FieldNode): void {
    let previous: FieldNode | null = null;
    this.position++;
    while (this.peek() !== 0x7d) {
      const node: FieldNode | null = this.readKey(record, previous);
      if (node === null) this.skipValue(0);
      else {
        this.walkField(node);
        previous = node;
      }
      if (this.peek() === 0x2c) this.position++;
    }
    this.position++;
  }

  private readKey(record: FieldNode, previous: FieldNode | null): FieldNode | null {
    this.peek();
    const start = this.position;
    this.sawEscape = false;
    this.scanString();
    const found = this.sawEscape
      ? this.tree.find(record, decodeJsonString(this.buffer, start, this.position))
      : findByKey(record, previous, this.buffer, start + 1, this.position - 1);
    this.expect(0x3a);
    return found;
  }

  private walkField(node: FieldNode): void {
    const first = this.peek();
    if (first === 0x7b && node.kind === 'record') {
      if (hasColumn(node)) this.put(node, 'true');
      this.walkRecord(node);
      return;
    }
    const start = this.position;
    const token = this.skipValue(0);
    const isValue = token !== Token.null && token !== Token.object && token !== Token.array;
    if (!isValue || node.kind !== 'leaf' || !hasColumn(node)) return;
    // A path of the JSON column keeps the type of the JSON value, so the value of a text field must be quoted.
    const isQuoted = node.type !== 'STRING' || token === Token.string;
    const { isReal, key } = this.placeOf(node);
    const out = isReal ? this.columns : this.paths;
    out.bytes(key, 0, key.length);
    if (!isQuoted) out.byte(QUOTE);
    out.bytes(this.buffer, start, this.position);
    if (!isQuoted) out.byte(QUOTE);
  }

  private put(node: FieldNode, text: string): void {
    const { isReal, key } = this.placeOf(node);
    const out = isReal ? this.columns : this.paths;
    out.bytes(key, 0, key.length);
    out.text(text);
  }

  private placeOf(node: FieldNode): Place {
    let place = this.places.get(node);
    if (place?.column !== node.column) {
      const column = node.column!;
      place = { column, key: Buffer.from(`,${JSON.stringify(column)}:`, 'utf8'), isReal: this.isReal(node) };
      this.places.set(node, place);
    }
    return place;
  }
}

/** Growing byte buffer, reused for every row. */
class Output {
  buffer = Buffer.allocUnsafe(8192);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  text(text: string): void {
    this.ensure(text.length * 3);
    this.length += this.buffer.write(text, this.length, 'utf8');
  }

  byte(byte: number): void {
    this.ensure(1);
    this.buffer[this.length++] = byte;
  }

  bytes(from: Buffer, start: number, end: number): void {
    this.ensure(end - start);
    this.length += from.copy(this.buffer, this.length, start, end);
  }

  /** Escapes JSON text for a JSON string. Normalized text has no control characters, only quotes and backslashes. */
  escaped(from: Buffer, start: number, end: number): void {
    this.ensure((end - start) * 2);
    const { buffer } = this;
    let { length } = this;
    for (let at = start; at < end; at++) {
      const byte = from[at]!;
      if (byte === QUOTE || byte === BACKSLASH) buffer[length++] = BACKSLASH;
      buffer[length++] = byte;
    }
    this.length = length;
  }

  private ensure(more: number): void {
    if (this.length + more <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + more));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
