/** A ClickHouse store in a database of its own, and short ways to fill and read it. */
import type { IngestResult } from '#contract/queries/result';
import type { Source } from '#contract/events/source';
import type { CatalogField, CatalogPart } from '#compiler/catalog/catalog';
import type { BoundValue, OutputType } from '#compiler/output/compiled-query';
import { reportSchema, runStatements } from '#server/stores/clickhouse/schema/change-schema';
import { type ClickHouseStoreOptions, openClickHouseStore } from '#server/stores/clickhouse/clickhouse-store';
import type { LogStore, StoreRows } from '#server/stores/store';
import { ingestBatch } from '../../../support/stores/ingest-batch';
import type { ClickHouseEngine } from '../../../support/processes/clickhouse';
import { findField, makeQuery, makeSource, NOW_MICROS } from '../store-fixture';

let databases = 0;

export interface ClickHouseFixture {
  readonly options: ClickHouseStoreOptions;
  readonly problems: readonly string[];
  store: LogStore;
  /** Another server on the same tables; closed with the fixture. */
  openAnother(): Promise<LogStore>;
  ingest(entries: readonly unknown[] | string, nowMicros?: number): Promise<IngestResult>;
  read(sql: string, types: readonly OutputType['kind'][], values?: readonly BoundValue[]): Promise<StoreRows>;
  part(): CatalogPart;
  field(path: string): CatalogField | undefined;
  close(): Promise<void>;
}

export async function openClickHouse(
  engine: ClickHouseEngine,
  source: Source = makeSource(),
  changes: Partial<ClickHouseStoreOptions> = {}
): Promise<ClickHouseFixture> {
  const problems: string[] = [];
  const options: ClickHouseStoreOptions = {
    ...clickHouseOptions(engine, [source]),
    onProblem: (message) => problems.push(message),
    ...changes,
  };
  await makeTables(options);
  const stores = [await openClickHouseStore(options)];
  const fixture: ClickHouseFixture = {
    options,
    problems,
    store: stores[0]!,
    async openAnother() {
      const another = await openClickHouseStore(options);
      stores.push(another);
      return another;
    },
    ingest: (entries, nowMicros = NOW_MICROS) => {
      const body = typeof entries === 'string' ? entries : entries.map((entry) => JSON.stringify(entry)).join('\n');
      return fixture.store.ingest(ingestBatch({ source: source.name, body: Buffer.from(body), nowMicros }));
    },
    read: (sql, types, values = []) =>
      fixture.store.execute(makeQuery(sql, types, values), new AbortController().signal),
    part: () => fixture.store.catalog().sources[0]!.parts[0]!,
    field: (path) => findField(fixture.store.catalog().sources[0]!.metadata, path.split('.')),
    async close() {
      await Promise.all(stores.map((store) => store.close()));
    },
  };
  return fixture;
}

/** A database of its own. */
export function clickHouseOptions(engine: ClickHouseEngine, sources: readonly Source[]): ClickHouseStoreOptions {
  return {
    url: engine.url,
    database: `case_${++databases}`,
    writer: { name: 'writer', password: 'write' },
    reader: { name: 'reader', password: 'read' },
    cluster: null,
    memoryLimitMb: 512,
    maxSeconds: 30,
    maxWaitingBytes: 4_000_000,
    sources,
    onProblem: () => undefined,
  };
}

export async function makeTables(options: ClickHouseStoreOptions): Promise<void> {
  const { steps } = await reportSchema(options, options.sources);
  await runStatements(
    options,
    steps.flatMap(({ statements }) => statements),
    () => undefined
  );
}
