/**
 * Writes rows as JSON, one object per line, with the fields of metadata under their column names: the form of dead
 * letters, and of inserts into a table whose columns are not those of this version. Values are copied unchanged.
 */
import type { ScalarType, Source } from '#contract/events/source';
import type { EventRow } from '../../ingest/event/event-row';
import type { FieldNode, FieldTree } from '../../ingest/fields/field-tree';
import { Token } from '../../../common/json/json-token';
import { ByteOutput } from './byte-output';
import { FieldWalk } from './field-walk';
import { FIELDS_COLUMN, INSERT_COLUMN, METADATA_COLUMN } from '../schema/layout';
import { timeText } from '../connection/time-text';

/** `,"name":` of a field, and whether the table has a column of that name. */
interface Place {
  readonly column: string;
  readonly key: Buffer;
  readonly isReal: boolean;
}

const QUOTE = 0x22;

export class FlatRowWriter extends FieldWalk {
  private readonly ownColumns: readonly (readonly [string, ScalarType])[];
  private readonly isReal: (node: FieldNode) => boolean;
  private readonly places = new Map<FieldNode, Place>();
  /** Output for the columns; `paths` is the output for the JSON column. */
  private readonly columns = new ByteOutput();
  private readonly paths = new ByteOutput();

  /** @param isReal true when the table has a column for a field */
  constructor(tree: FieldTree, { columns }: Pick<Source, 'columns'>, isReal: (node: FieldNode) => boolean) {
    super(tree);
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

  protected takeValue(node: FieldNode, token: Token, start: number, end: number): void {
    // A path of the JSON column keeps the type of the JSON value, so the value of a text field must be quoted.
    const isQuoted = node.type !== 'STRING' || token === Token.string;
    const { isReal, key } = this.placeOf(node);
    const out = isReal ? this.columns : this.paths;
    out.bytes(key, 0, key.length);
    if (!isQuoted) out.byte(QUOTE);
    out.bytes(this.buffer, start, end);
    if (!isQuoted) out.byte(QUOTE);
  }

  protected takeRecord(node: FieldNode): void {
    const { isReal, key } = this.placeOf(node);
    const out = isReal ? this.columns : this.paths;
    out.bytes(key, 0, key.length);
    out.text('true');
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
