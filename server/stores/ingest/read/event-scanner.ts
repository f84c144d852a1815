/**
 * The fast path of an entry: one pass over its bytes checks the JSON, finds the top-level values and walks metadata in
 * step with the field tree. When every value fits as written, the bytes of metadata are stored unchanged; anything else
 * sets `needsCare`, and the entry is read again as a tree.
 */
import { fitsAsWritten } from '../fields/field-types';
import type { FieldNode, FieldTree } from '../fields/field-tree';
import { JsonLexer, MAX_DEPTH } from '../../../common/json/json-lexer';
import { decodeJsonString } from '../../../common/json/json-tree';
import { Token } from '../../../common/json/json-token';
import {
  byteKey,
  findByKey,
  type KeyedChildren,
  type KeyedNode,
  keyTextOf,
  skipExpectedKey,
} from '../fields/keyed-node';

/** A known top-level key, and the position of its value in the current entry. */
export class TopLevelSlot implements KeyedNode<TopLevelSlot> {
  readonly name: string;
  readonly keyText: Uint8Array;
  next: TopLevelSlot | null = null;
  token: Token = Token.absent;
  start = 0;
  end = 0;
  /** True for a string with escapes. */
  hasEscape = false;
  /** True when the value of metadata contains white space. */
  hasSpace = false;
  mark = 0;

  constructor(name: string) {
    this.name = name;
    this.keyText = keyTextOf(name);
  }
}

class SlotTable implements KeyedChildren<TopLevelSlot> {
  first: TopLevelSlot | null = null;
  readonly byKey: ReadonlyMap<string, TopLevelSlot>;
  readonly all: readonly TopLevelSlot[];

  constructor(names: readonly string[]) {
    this.all = names.map((name) => new TopLevelSlot(name));
    this.byKey = new Map(this.all.map((slot) => [byteKey(slot.name), slot]));
  }
}

export class EventScanner extends JsonLexer {
  /** True when the entry must be read as a tree. */
  needsCare = false;
  /** Offsets of brackets to leave out: they wrap a single record. */
  readonly brackets: number[] = [];
  private readonly slots: SlotTable;
  private readonly metadata: TopLevelSlot;
  private readonly tree: FieldTree;
  private watched: FieldNode | null = null;
  private watchedToken: Token = Token.absent;
  private watchedStart = 0;
  private watchedEnd = 0;
  /** Fields with values in the current entry; the tree records them if the entry is stored. */
  private readonly touched: FieldNode[] = [];
  private serial = 0;

  constructor(tree: FieldTree, topLevelNames: readonly string[]) {
    super();
    this.tree = tree;
    this.slots = new SlotTable([...topLevelNames, 'metadata']);
    this.metadata = this.slot('metadata');
  }

  slot(name: string): TopLevelSlot {
    return this.slots.byKey.get(byteKey(name))!;
  }

  /** Tracks the position of a leaf's value in the following entries. */
  watch(node: FieldNode | null): void {
    this.watched = node;
  }

  /** Text of the watched leaf in the current entry; null when it has none. */
  watchedText(): string | null {
    const { buffer, watchedToken, watchedStart, watchedEnd } = this;
    if (watchedToken === Token.absent || watchedToken === Token.null) return null;
    if (watchedToken === Token.string) return decodeJsonString(buffer, watchedStart, watchedEnd);
    return buffer.toString('latin1', watchedStart, watchedEnd);
  }

  /** Reads one value of a batch. @returns its kind; the slots and fields are set for objects only. */
  scanEntry(): Token {
    this.resetFacts();
    this.needsCare = false;
    this.brackets.length = 0;
    this.touched.length = 0;
    this.watchedToken = Token.absent;
    for (const slot of this.slots.all) slot.token = Token.absent;
    if (this.peek() !== 0x7b) return this.skipValue(0);
    this.scanTopLevel();
    return Token.object;
  }

  /** Records the fields of the entry in the tree; called when the entry will be stored. */
  touchFields(): void {
    for (const node of this.touched) this.tree.touch(node);
  }

  private scanTopLevel(): void {
    const serial = ++this.serial;
    let previous: TopLevelSlot | null = null;
    this.position++;
    this.valueCount++;
    if (this.peek() === 0x7d) {
      this.position++;
      return;
    }
    do {
      const found: TopLevelSlot | null = this.scanKeyOf(this.slots, previous);
      if (found === null || found.mark === serial) {
        this.needsCare = true;
        this.skipValue(1);
      } else {
        found.mark = serial;
        this.scanSlot(found);
        previous = found;
      }
    } while (this.hasMore(0x7d));
  }

  private scanSlot(slot: TopLevelSlot): void {
    this.peek();
    slot.start = this.position;
    if (slot === this.metadata) {
      this.sawSpace = false;
      slot.token = this.scanMetadata();
      slot.hasSpace = this.sawSpace;
    } else {
      this.sawEscape = false;
      slot.token = this.skipValue(1);
      slot.hasEscape = this.sawEscape;
    }
    slot.end = this.position;
  }

  private scanMetadata(): Token {
    const byte = this.peek();
    if (byte === 0x7b) {
      this.walkRecord(this.tree.root, 2);
      return Token.object;
    }
    if (byte === 0x5b) {
      this.walkWrapped(this.tree.root, 2);
      return Token.array;
    }
    return this.scanScalar();
  }

  private walkRecord(record: FieldNode, depth: number): void {
    if (depth > MAX_DEPTH) {
      this.skipValue(depth);
      return;
    }
    const serial = ++this.serial;
    let previous: FieldNode | null = null;
    this.position++;
    this.valueCount++;
    if (this.peek() === 0x7d) {
      this.position++;
      return;
    }
    do {
      const found: FieldNode | null = this.scanKeyOf(record, previous);
      if (found === null) {
        this.needsCare = true;
        this.skipValue(depth + 1);
        continue;
      }
      if (found.objectMark === serial) this.needsCare = true;
      found.objectMark = serial;
      this.walkField(found, depth + 1);
      previous = found;
    } while (this.hasMore(0x7d));
  }

  private walkField(node: FieldNode, depth: number): void {
    const byte = this.peek();
    if (byte === 0x7b) {
      if (node.kind === 'record') {
        this.touched.push(node);
        this.walkRecord(node, depth);
      } else {
        this.careFor(depth);
      }
    } else if (byte === 0x5b) {
      this.walkArray(node, depth);
    } else {
      const start = this.position;
      const token = this.scanScalar();
      if (node === this.watched) this.noteWatched(token, start);
      if (token === Token.null) return;
      if (node.kind === 'leaf' && fitsAsWritten(node.type!, token)) this.touched.push(node);
      else this.needsCare = true;
    }
  }

  private noteWatched(token: Token, start: number): void {
    this.watchedToken = token;
    this.watchedStart = start;
    this.watchedEnd = this.position;
  }

  private walkArray(node: FieldNode, depth: number): void {
    switch (node.kind) {
      case 'record':
        this.touched.push(node);
        return this.walkWrapped(node, depth);
      case 'list':
      case 'records':
        return this.walkItems(node, depth);
      default:
        return this.careFor(depth);
    }
  }

  /** Walks an array in place of a single record. */
  private walkWrapped(record: FieldNode, depth: number): void {
    const opening = this.position++;
    const countBefore = this.valueCount++;
    if (this.peek() !== 0x7b) {
      this.position = opening;
      this.valueCount = countBefore;
      this.careFor(depth);
      return;
    }
    this.walkRecord(record, depth + 1);
    if (this.peek() === 0x5d) {
      this.brackets.push(opening, this.position++);
      return;
    }
    // Not from the opening bracket again: in nested arrays, each would read all that is below it once more.
    while (this.hasMore(0x5d)) this.careFor(depth + 1);
  }

  private walkItems(node: FieldNode, depth: number): void {
    this.position++;
    this.valueCount++;
    if (this.peek() === 0x5d) {
      this.position++;
      return;
    }
    this.touched.push(node);
    do {
      const isObject = this.peek() === 0x7b;
      if (isObject && node.kind === 'records') {
        this.walkRecord(node, depth + 1);
        continue;
      }
      const token = this.skipValue(depth + 1);
      const fits = token === Token.null || (node.kind === 'list' && fitsAsWritten(node.type!, token));
      if (!fits) this.needsCare = true;
    } while (this.hasMore(0x5d));
  }

  private careFor(depth: number): void {
    this.needsCare = true;
    this.skipValue(depth);
  }

  /** Reads a key and its colon. @returns null for a key that is unknown, or written with escapes. */
  private scanKeyOf<T extends KeyedNode<T>>(parent: KeyedChildren<T>, previous: T | null): T | null {
    if (this.peek() !== 0x22) this.fail('a key in double quotes');
    const found = skipExpectedKey(parent, previous, this) ?? this.scanOtherKey(parent, previous);
    this.expect(0x3a);
    return found;
  }

  private scanOtherKey<T extends KeyedNode<T>>(parent: KeyedChildren<T>, previous: T | null): T | null {
    const start = this.position + 1;
    this.sawEscape = false;
    this.scanString();
    return this.sawEscape ? null : findByKey(parent, previous, this.buffer, start, this.position - 1);
  }

  /** Called after a member or item: skips the comma, or the closing bracket. @returns true after a comma */
  private hasMore(closing: 0x7d | 0x5d): boolean {
    const byte = this.peek();
    if (byte === 0x2c) {
      this.position++;
      return true;
    }
    if (byte !== closing) this.fail(closing === 0x7d ? '"," or "}"' : '"," or "]"');
    this.position++;
    return false;
  }
}
