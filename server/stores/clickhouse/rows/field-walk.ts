/**
 * Walks the JSON text of an event's metadata in step with the field tree, and passes on the values that have a column
 * or a path.
 */
import type { EventRow } from '../../ingest/event/event-row';
import type { FieldNode, FieldTree } from '../../ingest/fields/field-tree';
import { JsonLexer } from '../../../common/json/json-lexer';
import { decodeJsonString } from '../../../common/json/json-tree';
import { Token } from '../../../common/json/json-token';
import { findByKey, skipExpectedKey } from '../../ingest/fields/keyed-node';
import { hasColumn } from '../schema/layout';

export abstract class FieldWalk extends JsonLexer {
  protected readonly tree: FieldTree;

  constructor(tree: FieldTree) {
    super();
    this.tree = tree;
  }

  /** Takes the value between two offsets of the buffer: a string with its quotes, a number or a boolean. */
  protected abstract takeValue(node: FieldNode, token: Token, start: number, end: number): void;

  /** Takes the presence of a record. */
  protected abstract takeRecord(node: FieldNode): void;

  protected walk({ buffer, metadataStart, metadataEnd, columnsText }: EventRow): void {
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
    const found = skipExpectedKey(record, previous, this) ?? this.readOtherKey(record, previous);
    this.expect(0x3a);
    return found;
  }

  private readOtherKey(record: FieldNode, previous: FieldNode | null): FieldNode | null {
    const start = this.position;
    this.sawEscape = false;
    this.scanString();
    return this.sawEscape
      ? this.tree.find(record, decodeJsonString(this.buffer, start, this.position))
      : findByKey(record, previous, this.buffer, start + 1, this.position - 1);
  }

  private walkField(node: FieldNode): void {
    const first = this.peek();
    if (first === 0x7b && node.kind === 'record') {
      if (hasColumn(node)) this.takeRecord(node);
      this.walkRecord(node);
      return;
    }
    const start = this.position;
    const token = this.skipValue(0);
    const isValue = token !== Token.null && token !== Token.object && token !== Token.array;
    if (!isValue || node.kind !== 'leaf' || !hasColumn(node)) return;
    this.takeValue(node, token, start, this.position);
  }
}
