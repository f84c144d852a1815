/** Export of stored events day by day, for backups: read by the command itself, no server takes part. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { StoredDay, StoredField, StoredList } from '#contract/control';
import type { Source } from '#contract/events/source';
import type { FieldFact } from '../../ingest/fields/field-fact';
import { FieldTree, type FieldNode } from '../../ingest/fields/field-tree';
import { MICROS_PER_DAY } from '../../ingest/event/timestamp';
import { Connection, type Parameters } from '../connection/connection';
import { translateError } from '../connection/errors';
import { loadFacts, restoreFields } from '../schema/field-registry';
import { SPELLED_NAMES } from '../schema/field-name';
import { commonColumns, METADATA_COLUMN } from '../schema/layout';
import type { ClickHouseOptions } from '../connection/options';
import { quoteName } from '../connection/quoting';
import { failedCall, failedPath } from '../../../common/caught-error';

/** Timeout without data: the fingerprints read two columns of every event. */
const SILENCE_MS = 600_000;
/** As in the files of the embedded store. */
const ROW_GROUP_ROWS = 20_480;

export interface ClickHouseExports {
  list(signal: AbortSignal): Promise<StoredList>;
  /** Number of events of a day now. */
  count(source: Source, day: number, signal: AbortSignal): Promise<number>;
  /** Writes a day to a new file; events stored since `list` may be in it. */
  write(source: Source, day: number, file: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const DAY = `intDiv(micros - if(micros < 0, ${MICROS_PER_DAY - 1}, 0), ${MICROS_PER_DAY})`;

const IN_DAY =
  "timestamp >= fromUnixTimestamp64Micro({from:Int64}, 'UTC') AND timestamp < fromUnixTimestamp64Micro({to:Int64}, 'UTC')";

function boundsOf(day: number): Parameters {
  return { from: String(day * MICROS_PER_DAY), to: String((day + 1) * MICROS_PER_DAY) };
}

export function openClickHouseExports(options: ClickHouseOptions, sources: readonly Source[]): ClickHouseExports {
  return new DayQueries(new Connection(options, options.writer, SILENCE_MS), sources);
}

class DayQueries implements ClickHouseExports {
  constructor(
    private readonly connection: Connection,
    private readonly sources: readonly Source[]
  ) {}

  async list(signal: AbortSignal): Promise<StoredList> {
    try {
      const facts = await loadFacts(this.connection, null);
      const days: StoredDay[] = [];
      const fields: Record<string, StoredField[]> = {};
      for (const source of this.sources) {
        days.push(...(await this.daysOf(source, signal)));
        fields[source.name] = storedFields(source, facts.get(source.name) ?? []);
      }
      return { days, fields, undeclared: [] };
    } catch (error) {
      throw translateError(error, signal.aborted);
    }
  }

  async count({ name }: Source, day: number, signal: AbortSignal): Promise<number> {
    try {
      const sql = `SELECT count() FROM ${quoteName(name)} WHERE ${IN_DAY}`;
      const [[count] = []] = await this.connection.rows({ sql, parameters: boundsOf(day), signal });
      return Number(count);
    } catch (error) {
      throw translateError(error, signal.aborted);
    }
  }

  async write(source: Source, day: number, file: string, signal: AbortSignal): Promise<void> {
    const own = Object.keys(source.columns).map(quoteName);
    const columns = ['id', 'timestamp', 'event_message', ...own, METADATA_COLUMN];
    try {
      const bytes = await this.connection.bytes({
        sql: `SELECT ${columns.join(', ')} FROM ${quoteName(source.name)} WHERE ${IN_DAY} FORMAT Parquet`,
        parameters: boundsOf(day),
        settings: {
          output_format_parquet_compression_method: 'zstd',
          output_format_parquet_row_group_size: String(ROW_GROUP_ROWS),
          output_format_parquet_string_as_string: 1,
        },
        signal,
      });
      await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal });
    } catch (error) {
      if (failedCall(error) !== undefined && failedPath(error) === file) throw error;
      throw translateError(error, signal.aborted);
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async daysOf({ name }: Source, signal: AbortSignal): Promise<StoredDay[]> {
    const rows = await this.connection.rows({
      sql:
        `SELECT ${DAY} AS day, count(), sum(cityHash64(id, micros)) FROM ` +
        `(SELECT id, toUnixTimestamp64Micro(timestamp) AS micros FROM ${quoteName(name)}) GROUP BY day ORDER BY day`,
      signal,
    });
    return rows.map(([day, count, sum]) => ({
      source: name,
      day: Number(day),
      rows: Number(count),
      fingerprint: `c${String(count)}-${String(sum)}`,
    }));
  }
}

function storedFields(source: Source, facts: readonly FieldFact[]): StoredField[] {
  const tree = new FieldTree(commonColumns(source), SPELLED_NAMES);
  restoreFields(tree, facts);
  const fields: StoredField[] = [];
  const visit = (record: FieldNode): void => {
    for (const node of record.byKey.values()) {
      if (node.isStored) {
        const { kind, type, column, tenant } = node;
        fields.push({
          path: node.path(),
          kind,
          type,
          has_column: column !== null,
          ...(tenant !== null && { tenant }),
        });
      }
      visit(node);
    }
  };
  visit(tree.root);
  return fields;
}
