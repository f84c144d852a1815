/** LQL cases over events of their own: read from YAML, run through the whole pipeline on a store. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ValidateResult } from '#contract/queries/description';
import { ServiceError } from '#contract/errors';
import type { AdhocText } from '#contract/queries/query';
import { savedQuerySchema, type SavedQuery } from '#contract/queries/saved-query';
import { validateAdhoc, type CompileRequest } from '#compiler/compile';
import { RequestTime } from '#compiler/ir/request-time';
import { resolveStatement } from '#compiler/resolve/resolve-statement';
import type { SandboxTable } from '#compiler/sandbox/adhoc-statement';
import { sandboxQuery } from '#compiler/sandbox/sandboxed-query';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { parseIsoTimestamp } from '#compiler/time/parse-iso';
import type { LogStore } from '#server/stores/store';
import { ingestBatch } from '../stores/ingest-batch';
import { runSavedQuery } from './run-saved-query';
import { openStoreUnderTest, type OpenStore, type StoreName } from '../stores/current';

const CORPUS = join(__dirname, '..', '..', 'corpus', 'lql');

/** 2026-03-18T12:34:56.789Z, a Wednesday */
export const LQL_NOW = '2026-03-18T12:34:56.789Z';

const DEFINITIONS = parse(readFileSync(join(CORPUS, 'fixture', 'definitions.yaml'), 'utf8')) as Readonly<
  Record<string, string>
>;

export interface LqlCase {
  readonly name?: string;
  readonly lql: string;
  /** `one` unless given. */
  readonly in?: string | undefined;
  readonly now?: string;
  readonly canonical?: string;
  readonly where?: string;
  readonly sql?: string;
  readonly ids?: readonly string[];
  readonly rows?: readonly Record<string, unknown>[];
  readonly columns?: readonly string[];
  readonly warnings?: readonly string[];
  readonly error?: Readonly<Record<string, unknown>>;
}

export function readLqlCases(): readonly { readonly file: string; readonly cases: readonly LqlCase[] }[] {
  const folder = join(CORPUS, 'cases');
  return readdirSync(folder).map((file) => ({
    file,
    cases: parse(readFileSync(join(folder, file), 'utf8')) as LqlCase[],
  }));
}

function lqlDefinition(name = 'one'): SavedQuery {
  return savedQuerySchema.parse({
    id: '11111111-2222-4333-8444-555555555555',
    name,
    query: DEFINITIONS[name],
    sandbox: true,
    parameters: [{ name: 'project', required: true }],
  });
}

/** A new store that holds the events of the LQL cases. */
export async function openLqlStore(name?: StoreName): Promise<OpenStore> {
  const sources = loadSources(join(CORPUS, 'fixture', 'sources.yaml'));
  const opened = await openStoreUnderTest(sources, name);
  const { store } = opened;
  const body = readFileSync(join(CORPUS, 'fixture', 'edge.ndjson'));
  const result = await store.ingest(ingestBatch({ source: 'edge', body, nowMicros: microsOf(LQL_NOW) }));
  await store.catchUp();
  if (result.rejected > 0) throw new Error(JSON.stringify(result.errors));
  return opened;
}

function microsOf(time: string): number {
  const micros = parseIsoTimestamp(time);
  if (micros === null) throw new Error(`${time} is not a time`);
  return Number(micros);
}

const PARAMETERS = { project: 'abcd' };

export function compileRequest(
  store: LogStore,
  { lql, in: definition, now = LQL_NOW }: Pick<LqlCase, 'lql' | 'in' | 'now'>
): CompileRequest {
  return {
    definition: lqlDefinition(definition),
    adhoc: { language: 'lql', text: lql },
    parameters: PARAMETERS,
    catalog: store.catalog(),
    nowMicros: microsOf(now),
    maxRows: 1000,
    redaction: null,
    tenant: null,
  };
}

/** The tables of a sandbox as lowering sees them. */
export function lqlTables(store: LogStore, definition?: string): readonly SandboxTable[] {
  const { nowMicros, catalog, parameters, definition: saved } = compileRequest(store, { lql: 'x', in: definition });
  const query = sandboxQuery(saved, null);
  const input = { catalog, parameters, time: new RequestTime(nowMicros), redaction: null, tenant: null };
  const { tables } = resolveStatement(query, input, 'all');
  return tables.tables.map(({ name, query: { columns } }) => ({ name, columns }));
}

export function validateLql(store: LogStore, testCase: LqlCase): ValidateResult {
  return validateAdhoc(compileRequest(store, testCase));
}

/** Rows as the HTTP answer writes them. */
export function runLql(store: LogStore, testCase: LqlCase): Promise<readonly Record<string, unknown>[]> {
  return run(store, { language: 'lql', text: testCase.lql }, testCase);
}

/** The rows of ad-hoc SQL in the sandbox of a case. */
export function runSql(
  store: LogStore,
  { sql, ...where }: Pick<LqlCase, 'in' | 'now'> & { readonly sql: string }
): Promise<readonly Record<string, unknown>[]> {
  return run(store, { language: 'sql', text: sql }, where);
}

async function run(
  store: LogStore,
  adhoc: AdhocText,
  { in: definition, now = LQL_NOW }: Pick<LqlCase, 'in' | 'now'>
): Promise<readonly Record<string, unknown>[]> {
  const { bytes } = await runSavedQuery(store, lqlDefinition(definition), {
    parameters: PARAMETERS,
    adhoc,
    timestamps: 'rfc3339',
    nowMicros: microsOf(now),
  });
  return (JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: Record<string, unknown>[] }).result;
}

/** The refusal of a text that is checked but not run. */
export function refusalOf(store: LogStore, testCase: LqlCase): ServiceError {
  try {
    validateLql(store, testCase);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`${testCase.lql} is accepted`);
}
