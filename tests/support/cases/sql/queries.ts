/** Query cases over the fixture events: read from YAML, run through the whole pipeline on a store. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { QueryResult } from '#contract/queries/result';
import { savedQuerySchema, type SavedQuery } from '#contract/queries/saved-query';
import { loadSources } from '#server/catalog/definitions/load-sources';
import type { LogStore } from '#server/stores/store';
import { ingestBatch } from '../../stores/ingest-batch';
import { runSavedQuery } from '../run-saved-query';
import { IS_SEALED, openStoreUnderTest, type OpenStore, type StoreName } from '../../stores/current';

const ROOT = join(__dirname, '..', '..', '..', '..');
const CORPUS = join(ROOT, 'tests', 'corpus', 'sql');

/** 2026-03-01T12:00:00Z */
export const NOW_MICROS = Date.UTC(2026, 2, 1, 12) * 1000;

export interface QueryCase {
  readonly name: string;
  readonly sql: string;
  readonly saved?: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly rows?: readonly Record<string, unknown>[];
  readonly count?: number;
  readonly truncated?: boolean;
  readonly columns?: readonly string[];
  readonly error?: {
    readonly code?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly at?: string;
    readonly hint?: string;
  };
}

export function readQueryCases(): readonly { readonly file: string; readonly cases: readonly QueryCase[] }[] {
  const folder = join(CORPUS, 'queries');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => ({ file, cases: parse(readFileSync(join(folder, file), 'utf8')) as QueryCase[] }));
}

export function readDefinition(name: string): SavedQuery {
  return savedQuerySchema.parse(parse(readFileSync(join(ROOT, 'endpoints', `${name}.yaml`), 'utf8')));
}

/** A new store that holds the fixture events. */
export async function openFixtureStore(name?: StoreName): Promise<OpenStore> {
  const sources = loadSources(join(ROOT, 'sources.yaml'));
  const opened = await openStoreUnderTest(sources, name);
  const { store } = opened;
  for (const file of readdirSync(join(CORPUS, 'fixture'))) {
    const body = readFileSync(join(CORPUS, 'fixture', file));
    const result = await store.ingest(
      ingestBatch({ source: file.replace('.ndjson', ''), body, nowMicros: NOW_MICROS })
    );
    await store.catchUp();
    if (result.rejected > 0) throw new Error(`${file}: ${JSON.stringify(result.errors)}`);
  }
  if (IS_SEALED) while ((await store.sealing?.sealNext(new AbortController().signal)) ?? null);
  return opened;
}

/** Runs a case as the engine would. */
export function runCase(store: LogStore, definition: SavedQuery, testCase: QueryCase): Promise<QueryResult> {
  const given = testCase.parameters ?? { project: 'abcd' };
  const saved = testCase.saved === true;
  const asked = saved
    ? savedQuerySchema.parse({
        id: definition.id,
        name: 'case',
        query: testCase.sql,
        parameters: Object.keys(given).map((name) => ({ name })),
      })
    : definition;
  return runSavedQuery(store, asked, {
    parameters: given,
    adhoc: saved ? null : { language: 'sql', text: testCase.sql },
    nowMicros: NOW_MICROS,
  });
}

/** The first row of a saved query of this text, as JSON has it; undefined: there are no rows. */
export async function firstRow(
  store: LogStore,
  sql: string,
  parameters: Readonly<Record<string, string>>
): Promise<unknown> {
  const testCase = { name: sql, sql, saved: true, parameters };
  const { bytes } = await runCase(store, readDefinition('logs.all'), testCase);
  return (JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: unknown[] }).result[0];
}
