/** Query cases over the fixture events: read from YAML, run through the whole pipeline on a store. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { QueryRequest } from '#contract/queries/query';
import type { QueryResult } from '#contract/queries/result';
import { savedQuerySchema, type SavedQuery } from '#contract/queries/saved-query';
import { compile } from '#compiler/compile';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { runQuery } from '#server/engine/query/run-query';
import type { LogStore } from '#server/stores/store';
import { ingestBatch } from '../../stores/ingest-batch';
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
  const request: QueryRequest = {
    endpointId: asked.id,
    revision: 1,
    definition: '',
    parameters: Object.fromEntries(asked.parameters.map(({ name }) => [name, given[name] || null])),
    adhoc: saved ? null : { language: 'sql', text: testCase.sql },
    tenant: null,
    format: 'json',
    timestamps: 'native',
    meta: false,
    redact: false,
    maxRows: 1000,
    maxBytes: 8_388_608,
    timeoutMs: 10_000,
    nowMicros: NOW_MICROS,
  };
  const context = { compile, store, definition: asked, queueMs: 0, onStage: () => undefined };
  return runQuery(context, request, new AbortController().signal);
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
