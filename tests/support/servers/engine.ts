/**
 * Tests against a real engine process with the test store: `useTestEngine()` gives a fresh data directory and client to
 * each test.
 */
import { savedQueryRequest } from '../cases/run-saved-query';
import { requestOf } from '../stores/ingest-batch';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/queries/query';
import type { IngestResult } from '#contract/queries/result';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { definitionDigest } from '#server/catalog/definitions/definition-digest';
import { createEngineClient, type EngineClient, type EngineClientSettings } from '#server/engine/client/engine-client';
import buildServer, { TEST_ENGINE_SCRIPT } from '../processes/build-server';
import { RUNS_FILE } from '../stores/commands';

export const DEFINITION = savedQuerySchema.parse({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'test.query',
  query: 'rows 2',
  sandbox: true,
});

export const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface TestEngine {
  /** Data folder of the present test. */
  readonly dataDir: string;
  readonly client: EngineClient;
  start(settings?: Partial<EngineClientSettings>): Promise<void>;
  /** @returns the body as text. Null runs the saved query. */
  run(text: string | null, overrides?: Partial<QueryRequest>, owner?: string): Promise<string>;
  /** @param lines events of the test store */
  ingest(lines: string, owner?: string): Promise<IngestResult>;
  /** The process id of the one engine that runs. */
  pid(): Promise<number>;
  /** How often the store was asked for a text. */
  runsOf(text: string): number;
}

export function useTestEngine(): TestEngine {
  let dataDir = '';
  let client: EngineClient;

  beforeAll(buildServer, 120_000);
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'test-engine-'));
  });
  afterEach(async () => {
    await client.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  return {
    get dataDir() {
      return dataDir;
    },
    get client() {
      return client;
    },
    async start(settings = {}) {
      client = createEngineClient({
        engine: engineOptions(dataDir, 4),
        logger: SILENT,
        script: TEST_ENGINE_SCRIPT,
        ...settings,
      });
      await client.start();
      await client.call('define', { definitions: [DEFINITION], stored: [], former: [] });
    },
    ingest(lines, owner) {
      const body = Buffer.from(lines);
      return client.call('ingest', requestOf('edge_requests', body, 0), { body, ...(owner ? { owner } : {}) });
    },
    async run(text, overrides = {}, owner) {
      const { bytes } = await client.call('run', queryRequest(text, overrides), owner ? { owner } : {});
      return Buffer.from(bytes).toString('utf8');
    },
    async pid() {
      const { rssBytes } = await client.call('status', {});
      expect(rssBytes).toBeGreaterThan(0);
      const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
      const engines = children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine-main'));
      expect(engines).toHaveLength(1);
      return Number(engines[0]);
    },
    runsOf(text) {
      const lines = readFileSync(path.join(dataDir, RUNS_FILE), 'utf8').split('\n');
      return lines.filter((line) => line === text).length;
    },
  };
}

export function engineOptions(dataDir: string, maxConcurrentQueries: number): EngineClientSettings['engine'] {
  return {
    dataDir,
    clickhouse: null,
    sources: [],
    memoryLimitMb: 64,
    rssBudgetMb: 4096,
    threads: 1,
    keptCountsMaxBytes: 0,
    searchFiltersMaxBytes: 0,
    maxConcurrentQueries,
    sealAfterMinutes: null,
    maxConcurrentAdhoc: maxConcurrentQueries,
  };
}

export function queryRequest(text: string | null, overrides: Partial<QueryRequest> = {}): QueryRequest {
  return {
    ...savedQueryRequest(DEFINITION, { definition: definitionDigest(DEFINITION), timeoutMs: 5000, nowMicros: 0 }),
    adhoc: text === null ? null : { language: 'sql', text },
    ...overrides,
  };
}

/** The error that a call ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason
  );
  if (error instanceof ServiceError) return error;
  throw new Error(`expected a ServiceError, got ${String(error)}`);
}
