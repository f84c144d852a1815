/**
 * Target of a copy in ClickHouse: the fields that must exist before the first event, and the checksums that verify the
 * copy.
 */
import { randomUUID } from 'node:crypto';
import type { Source } from '#contract/events/source';
import type { FieldFact } from '../../ingest/fields/field-fact';
import { MICROS_PER_DAY } from '../../ingest/event/timestamp';
import { Connection } from '../connection/connection';
import { translateError } from '../connection/errors';
import { loadFacts, saveFacts } from '../schema/field-registry';
import { declaredTree, METADATA_COLUMN } from '../schema/layout';
import type { ClickHouseOptions } from '../connection/options';
import { quoteName } from '../connection/quoting';

/** Timeout: the checksum reads a whole day of events. */
const SILENCE_MS = 600_000;

export interface CopyTarget {
  /** Saves the fields of the other store, except for paths whose kind is known here already. */
  addFields(source: Source, fields: readonly FieldFact[], nowMicros: number): Promise<void>;
  /** See `DayDigest` of the DuckDB store. @param texts own columns in the checksum */
  digestDay(
    source: Source,
    day: number,
    texts: readonly string[]
  ): Promise<{ readonly rows: number; readonly sums: readonly [bigint, bigint] }>;
  close(): Promise<void>;
}

export function openCopyTarget(options: ClickHouseOptions): CopyTarget {
  const connection = new Connection(options, options.writer, SILENCE_MS);
  return {
    async addFields(source, fields, nowMicros) {
      const { name } = source;
      try {
        const known = new Set(
          ((await loadFacts(connection, name)).get(name) ?? []).map(({ path }) => JSON.stringify(path))
        );
        const missing = fields.filter(({ path }) => !known.has(JSON.stringify(path)));
        if (missing.length > 0) await saveFacts(connection, name, renamed(source, missing), nowMicros, randomUUID());
      } catch (error) {
        throw translateError(error);
      }
    },
    async digestDay({ name }, day, texts) {
      const parts = ['id', 'toString(toUnixTimestamp64Micro(timestamp))', METADATA_COLUMN];
      for (const text of ['event_message', ...texts]) parts.push(`coalesce(concat('+', ${quoteName(text)}), '-')`);
      try {
        const [row] = await connection.rows({
          sql:
            'SELECT count(), sum(bitShiftRight(digest, 32)), sum(bitAnd(digest, 4294967295)) FROM ' +
            `(SELECT halfMD5(concatWithSeparator('|', ${parts.join(', ')})) AS digest FROM ${quoteName(name)} ` +
            "WHERE timestamp >= fromUnixTimestamp64Micro({from:Int64}, 'UTC') " +
            "AND timestamp < fromUnixTimestamp64Micro({to:Int64}, 'UTC'))",
          parameters: { from: String(day * MICROS_PER_DAY), to: String((day + 1) * MICROS_PER_DAY) },
        });
        const [rows, first, second] = row!;
        return { rows: Number(rows), sums: [BigInt(String(first)), BigInt(String(second))] };
      } catch (error) {
        throw translateError(error);
      }
    },
    close: () => connection.close(),
  };
}

/** Replaces the column names, which differ between the stores. */
function renamed(source: Source, fields: readonly FieldFact[]): readonly FieldFact[] {
  const tree = declaredTree(source);
  return fields.map((field) => {
    if (field.column === null) return field;
    // A new batch for each field, so that the limit per batch does not apply: a field with a column there has one here.
    tree.beginBatch();
    let node = tree.root;
    for (const key of field.path) node = tree.findOrAdd(node, key) ?? node;
    if (node.kind === 'empty' && field.kind !== 'empty') tree.settle(node, field.kind, field.type);
    return { ...field, column: node.column };
  });
}
