/** The store that events are restored into. */
import { availableParallelism } from 'node:os';
import type { StoredField } from '#contract/control';
import type { Source } from '#contract/events/source';
import type { Config } from '../../config';
import type { LogStore } from '../../stores/store';
import { openClickHouseStore } from '../../stores/clickhouse/clickhouse-store';
import { openCopyTarget } from '../../stores/clickhouse/write/copy-target';
import { openDatabase } from '../../stores/duckdb/file/database';
import { openDuckDbStore } from '../../stores/duckdb/duckdb-store';
import { seedFields } from '../../stores/duckdb/sources/seed-fields';
import { type DayDigest, digestDay, storedDays } from '../../stores/duckdb/read/stored-rows';
import { BackupError } from '../backup/backup-error';
import { textColumns } from '../backup/events/parquet-files';

export type FieldsBySource = Readonly<Record<string, readonly StoredField[]>>;

export interface EventTarget {
  /** @throws BackupError when a shared store has events; the file of an embedded store is in the data folder */
  ensureEmpty(): Promise<void>;
  /** Makes the nested fields known before the first event. */
  addFields(fields: FieldsBySource): Promise<void>;
  open(): Promise<LogStore>;
  /** Digests of days; the store must be closed. */
  digests(): Promise<DigestReader>;
}

export interface DigestReader {
  digest(source: Source, day: number): Promise<DayDigest>;
  close(): Promise<void>;
}

export function eventTarget(
  config: Config,
  declared: readonly Source[],
  onProblem: (message: string) => void
): EventTarget {
  // Events stored before their source had tenants may name none.
  const sources = declared.map((source) => ({ ...source, tenant_optional: true }));
  return config.store === 'clickhouse'
    ? clickHouseTarget(config, sources, onProblem)
    : fileTarget(config, sources, onProblem);
}

function fileTarget(
  { files, engine }: Config,
  sources: readonly Source[],
  onProblem: (message: string) => void
): EventTarget {
  const options = { dataDir: files.dataDir, memoryLimitMb: engine.memoryLimitMb, threads: availableParallelism() };
  return {
    ensureEmpty: () => Promise.resolve(),
    addFields: (fields) => seedFields(options, sources, fields),
    open: () => openDuckDbStore({ ...options, sources, onProblem }),
    async digests() {
      const database = await openDatabase(options);
      const connection = await database.connect();
      return {
        async digest(source, day) {
          const part = (await storedDays(connection, source)).find((found) => found.day === day);
          return part ? digestDay(connection, source, part) : { rows: 0, sums: [0n, 0n] };
        },
        close: async () => {
          connection.closeSync();
          database.close();
        },
      };
    },
  };
}

function clickHouseTarget(
  { clickhouse }: Config,
  sources: readonly Source[],
  onProblem: (message: string) => void
): EventTarget {
  const open = (): Promise<LogStore> => openClickHouseStore({ ...clickhouse, sources, onProblem });
  return {
    async ensureEmpty() {
      const store = await open();
      const isEmpty = await store.isEmpty().finally(() => store.close());
      if (!isEmpty) throw new BackupError('ClickHouse has events of these sources. Restore into an empty database.');
    },
    async addFields(fields) {
      const target = openCopyTarget(clickhouse);
      try {
        for (const source of sources) {
          const facts = (fields[source.name] ?? []).map(({ path, kind, type, has_column, tenant = null }) => ({
            path,
            kind,
            type,
            // Any name: the store has its own.
            column: has_column ? 'restored' : null,
            tenant,
          }));
          await target.addFields(source, facts, Date.now() * 1000);
        }
      } finally {
        await target.close();
      }
    },
    open,
    async digests() {
      const target = openCopyTarget(clickhouse);
      return {
        digest: (source, day) => target.digestDay(source, day, textColumns(source)),
        close: () => target.close(),
      };
    },
  };
}
