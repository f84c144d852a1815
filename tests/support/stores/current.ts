/** The store that conformance tests run on: DuckDB, or ClickHouse in the jest project `conformance-clickhouse`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Source } from '#contract/events/source';
import { openClickHouseStore } from '#server/stores/clickhouse/clickhouse-store';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { LogStore } from '#server/stores/store';
import { clickHouseOptions, makeTables } from '../../integration/stores/clickhouse/clickhouse-fixture';
import { type ClickHouseEngine, startClickHouseEngine } from '../processes/clickhouse';

export type StoreName = 'duckdb' | 'clickhouse';

export const STORE_UNDER_TEST: StoreName = process.env['LQE_TEST_STORE'] === 'clickhouse' ? 'clickhouse' : 'duckdb';

/**
 * With `LQE_TEST_SEALED=1`: past days of DuckDB are sealed, with search filters and kept counts, as after some hours.
 */
export const IS_SEALED = process.env['LQE_TEST_SEALED'] === '1';
const SEALED_OPTIONS = { keptCountsMaxBytes: 32 << 20, searchFiltersMaxBytes: 8 << 20, settledMs: 0 };

export interface OpenStore {
  readonly store: LogStore;
  /** Closes the store and opens it again: DuckDB has compressed its rows then. ClickHouse's goes on. */
  restart(): Promise<OpenStore>;
  close(): Promise<void>;
}

/**
 * A new, empty store.
 *
 * @param threads of DuckDB
 */
export function openStoreUnderTest(
  sources: readonly Source[],
  name: StoreName = STORE_UNDER_TEST,
  threads = 2
): Promise<OpenStore> {
  return name === 'duckdb' ? openDuckDb(sources, threads) : openClickHouse(sources);
}

async function openDuckDb(
  sources: readonly Source[],
  threads: number,
  dataDir = mkdtempSync(join(tmpdir(), 'store-under-test-'))
): Promise<OpenStore> {
  const store = await openDuckDbStore({
    dataDir,
    sources,
    memoryLimitMb: 512,
    threads,
    ...(IS_SEALED && SEALED_OPTIONS),
  });
  return {
    store,
    restart: async () => {
      await store.close();
      return openDuckDb(sources, threads, dataDir);
    },
    close: async () => {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** One engine for all stores of a test file. */
let engine: Promise<ClickHouseEngine> | null = null;
let open = 0;

async function openClickHouse(sources: readonly Source[]): Promise<OpenStore> {
  engine ??= startClickHouseEngine();
  open += 1;
  const started = await engine;
  // Tables drop older rows by the clock of the engine, not by the time of the tests.
  const kept = sources.map((source) => ({ ...source, retention_days: 10_000 }));
  const options = clickHouseOptions(started, kept);
  await makeTables(options);
  const store = await openClickHouseStore(options);
  const opened: OpenStore = {
    store,
    restart: () => Promise.resolve(opened),
    close: async () => {
      await store.close();
      open -= 1;
      if (open > 0) return;
      engine = null;
      await started.stop();
    },
  };
  return opened;
}
