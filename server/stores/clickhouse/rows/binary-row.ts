/**
 * Writes rows in ClickHouse's `RowBinary` format: the values of the columns in the order of `columns`, without their
 * names. ClickHouse reads a batch of them in a fifth of the time that the same rows need as JSON (decision 0271).
 */
import type { ScalarType, Source } from '#contract/events/source';
import type { EventRow } from '../../ingest/event/event-row';
import type { FieldNode, FieldTree } from '../../ingest/fields/field-tree';
import { decodeJsonString } from '../../../common/json/json-tree';
import { Token } from '../../../common/json/json-token';
import { ByteOutput } from './byte-output';
import { FieldWalk } from './field-walk';
import { columnFields, columnType, FIELDS_COLUMN, INSERT_COLUMN, METADATA_COLUMN } from '../schema/layout';
import { quoteName } from '../connection/quoting';

/** Where a field goes: a column of the table, or a path of the JSON column. */
interface Place {
  readonly column: string;
  readonly type: ScalarType;
  /** Number of the column among those of fields; -1: a path. */
  readonly slot: number;
  /** `,"name":` of a path. */
  readonly key: Buffer;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The byte before a value of a `Nullable` column. */
const IS_VALUE = 0;
const IS_NULL = 1;
/** Digits of whole numbers that JavaScript holds exactly. */
const EXACT_DIGITS = 15;

export class BinaryRowWriter extends FieldWalk {
  private readonly ownTypes: readonly ScalarType[];
  private readonly isReal: (node: FieldNode) => boolean;
  private readonly places = new Map<FieldNode, Place>();
  private readonly common: string[];
  private names: string[] = [];
  private list: string | null = null;
  /** By slot: offsets of the value of the current row; an end of 0: no value. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly types: ScalarType[] = [];
  private row = new ByteOutput();
  private readonly paths = new ByteOutput();

  /**
   * @param hasMarks true when the table has a column for insert marks
   * @param isReal true when the table has a column for a field
   */
  constructor(
    tree: FieldTree,
    { columns }: Pick<Source, 'columns'>,
    hasMarks: boolean,
    isReal: (node: FieldNode) => boolean
  ) {
    super(tree);
    this.ownTypes = Object.values(columns);
    this.isReal = isReal;
    this.common = ['id', 'timestamp', ...(hasMarks ? [INSERT_COLUMN] : []), 'event_message', ...Object.keys(columns)];
    this.common.push(METADATA_COLUMN, FIELDS_COLUMN);
    this.placeAll();
  }

  /** Columns of the rows written last, as an insert lists them. Fields that get known later are added to the end. */
  get columns(): string {
    this.list ??= this.names.map(quoteName).join(', ');
    return this.list;
  }

  /** Before the rows of a batch: fields that have got another type or column since get new places. */
  prepare(): void {
    for (const [node, { column, type }] of this.places) {
      if (column !== node.column || type !== columnType(node)) return this.placeAll();
    }
  }

  /** @param mark of the insert; null: the table has no column for it */
  write(event: EventRow, mark: bigint | null, output: ByteOutput): void {
    const { paths, ends, ownTypes } = this;
    const row = (this.row = output);
    paths.clear();
    ends.fill(0);
    this.walk(event);
    row.sized(event.id);
    row.smallWhole(event.micros);
    if (mark !== null) row.unsigned(mark);
    this.optional('STRING', event.message);
    for (let i = 0; i < ownTypes.length; i++) this.optional(ownTypes[i]!, event.own[i] ?? null);
    row.sizedBytes(event.buffer, event.metadataStart, event.metadataEnd);
    this.writePaths();
    for (let slot = 0; slot < ends.length; slot++) {
      if (ends[slot] === 0) row.byte(IS_NULL);
      else this.writeSlot(this.types[slot]!, this.starts[slot]!, ends[slot]!);
    }
  }

  protected takeValue(node: FieldNode, token: Token, start: number, end: number): void {
    const { slot, key } = this.placeOf(node);
    if (slot >= 0) {
      this.starts[slot] = start;
      this.ends[slot] = end;
      return;
    }
    const { paths } = this;
    // A path keeps the type of the JSON value, so the value of a text field must be quoted.
    const isQuoted = node.type !== 'STRING' || token === Token.string;
    paths.bytes(key, 0, key.length);
    if (!isQuoted) paths.byte(QUOTE);
    paths.bytes(this.buffer, start, end);
    if (!isQuoted) paths.byte(QUOTE);
  }

  protected takeRecord(node: FieldNode): void {
    const { slot, key } = this.placeOf(node);
    if (slot >= 0) {
      // The value of a BOOL begins where it is true.
      this.starts[slot] = PRESENT;
      this.ends[slot] = 1;
      return;
    }
    this.paths.bytes(key, 0, key.length);
    this.paths.text('true');
  }

  private writePaths(): void {
    const { row, paths } = this;
    if (paths.length === 0) {
      row.sized('{}');
      return;
    }
    // In place of the comma before the first path.
    paths.buffer[0] = 0x7b;
    paths.byte(0x7d);
    row.sizedBytes(paths.buffer, 0, paths.length);
  }

  private writeSlot(type: ScalarType, start: number, end: number): void {
    const { row, buffer } = this;
    row.byte(IS_VALUE);
    switch (type) {
      case 'STRING':
        if (buffer[start] !== QUOTE) row.sizedBytes(buffer, start, end);
        else if (hasEscape(buffer, start, end)) row.sized(decodeJsonString(buffer, start, end));
        else row.sizedBytes(buffer, start + 1, end - 1);
        return;
      case 'BOOL':
        row.byte(start === PRESENT || buffer[start] === 0x74 ? 1 : 0);
        return;
      default:
        this.writeNumber(type, buffer.toString('latin1', start, end));
    }
  }

  /** @param value text of the value; null: it has no value */
  private optional(type: ScalarType, value: string | null): void {
    const { row } = this;
    row.byte(value === null ? IS_NULL : IS_VALUE);
    if (value === null) return;
    if (type === 'STRING') row.sized(value);
    else if (type === 'BOOL') row.byte(value === 'true' ? 1 : 0);
    else this.writeNumber(type, value);
  }

  private writeNumber(type: ScalarType, text: string): void {
    if (type === 'FLOAT64') this.row.double(Number(text));
    else if (text.length <= EXACT_DIGITS) this.row.smallWhole(Number(text));
    else this.row.whole(BigInt(text));
  }

  private placeAll(): void {
    this.places.clear();
    this.names = [...this.common];
    this.list = null;
    for (const list of [this.starts, this.ends, this.types]) list.length = 0;
    for (const node of columnFields(this.tree.root)) this.placeOf(node);
  }

  private placeOf(node: FieldNode): Place {
    const known = this.places.get(node);
    if (known !== undefined) return known;
    const column = node.column!;
    const type = columnType(node);
    const slot = this.isReal(node) ? this.slotOf(column, type) : -1;
    const place = { column, type, slot, key: Buffer.from(`,${JSON.stringify(column)}:`, 'utf8') };
    this.places.set(node, place);
    return place;
  }

  private slotOf(column: string, type: ScalarType): number {
    this.list = null;
    this.names.push(column);
    this.starts.push(0);
    this.ends.push(0);
    return this.types.push(type) - 1;
  }
}

/** In place of the start of a value: the record is there. */
const PRESENT = -1;

function hasEscape(buffer: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (buffer[at] === BACKSLASH) return true;
  return false;
}
