/** A store in a fresh folder, and short ways to fill and read it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceSchema, type Source } from '#contract/events/source';
import type { IngestResult } from '#contract/queries/result';
import type { BoundValue, CompiledQuery, OutputType } from '#compiler/output/compiled-query';
import type { CatalogField, CatalogSource } from '#compiler/catalog/catalog';
import { type DuckDbStoreOptions, openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { LogStore, StoreRows } from '#server/stores/store';
import { ingestBatch } from '../../support/stores/ingest-batch';

export const NOW_MICROS = Date.UTC(2026, 10, 20, 12) * 1000;
export const TODAY = 'events/2026-11-20';

export function makeSource(facts: Partial<Source> = {}): Source {
  return sourceSchema.parse({ name: 'events', columns: { project: 'STRING' }, ...facts });
}

export interface StoreFixture {
  readonly dataDir: string;
  store: LogStore;
  /** What the store has reported to its operator. */
  readonly problems: string[];
  /** Closes the store and opens it again. */
  reopen(sources?: readonly Source[]): Promise<void>;
  /** Stores events and waits until they can be read. */
  ingest(entries: readonly unknown[] | string, nowMicros?: number): Promise<IngestResult>;
  read(sql: string, types: readonly OutputType['kind'][], values?: readonly BoundValue[]): Promise<StoreRows>;
  source(): CatalogSource;
  field(path: string): CatalogField | undefined;
  remove(): Promise<void>;
}

export async function openFixture(
  sources: readonly Source[] = [makeSource()],
  memoryLimitMb = 256,
  options: Pick<DuckDbStoreOptions, 'keptCountsMaxBytes' | 'settledMs' | 'searchFiltersMaxBytes'> = {}
): Promise<StoreFixture> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lqe-store-'));
  const problems: string[] = [];
  const open = (declared: readonly Source[]): Promise<LogStore> =>
    openDuckDbStore({
      ...options,
      dataDir,
      sources: declared,
      memoryLimitMb,
      threads: 1,
      onProblem: (message, cause) => problems.push(`${message}: ${String(cause)}`),
    });
  const fixture: StoreFixture = {
    dataDir,
    problems,
    store: await open(sources),
    async reopen(declared = sources) {
      await fixture.store.close();
      fixture.store = await open(declared);
    },
    async ingest(entries, nowMicros = NOW_MICROS) {
      const body = typeof entries === 'string' ? entries : entries.map((entry) => JSON.stringify(entry)).join('\n');
      const result = await fixture.store.ingest(ingestBatch({ source: 'events', body: Buffer.from(body), nowMicros }));
      await fixture.store.catchUp();
      return result;
    },
    read: (sql, types, values = []) =>
      fixture.store.execute(makeQuery(sql, types, values), new AbortController().signal),
    source: () => fixture.store.catalog().sources[0]!,
    field: (path) => findField(fixture.source().metadata, path.split('.')),
    async remove() {
      await fixture.store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return fixture;
}

/** Replaces a value that only the compiler can make. */
export function makeQuery(
  sql: string,
  types: readonly OutputType['kind'][],
  values: readonly BoundValue[] = [],
  maxRows = 1000
): CompiledQuery {
  const columns = types.map((kind, i) => ({
    name: `c${i}`,
    type: kind === 'RECORD_TEXT' ? { kind, single: true } : { kind },
    typeName: kind,
  }));
  const facts = { reads: [], older: [], rowLimit: maxRows + 1, maxRows, warnings: [], search: () => null };
  return { ...facts, sql, values, columns } as unknown as CompiledQuery;
}

export function findField(field: CatalogField | undefined, path: readonly string[]): CatalogField | undefined {
  const [key, ...rest] = path;
  if (key === undefined || field === undefined) return field;
  return 'fields' in field ? findField(field.fields.get(key), rest) : undefined;
}
