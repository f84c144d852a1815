import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/queries/query';
import { savedQuerySchema } from '#contract/queries/saved-query';
import type { Catalog } from '#compiler/catalog/catalog';
import type { CompileRequest } from '#compiler/compile';
import type { CompiledQuery } from '#compiler/output/compiled-query';
import { runQuery, type RunQueryContext } from '#server/engine/query/run-query';
import { columns } from '../../../support/cases/results';

const DEFINITION = savedQuerySchema.parse({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'test.query',
  query: 'select 1',
  sandbox: true,
  max_rows: 10,
  max_bytes: 1024,
  revision: 3,
});

const REQUEST: QueryRequest = {
  endpointId: DEFINITION.id,
  revision: 3,
  definition: 'd3',
  parameters: { project: 'a' },
  adhoc: null,
  tenant: null,
  format: 'json',
  timestamps: 'native',
  meta: false,
  redact: false,
  maxRows: 5,
  maxBytes: 1_000_000,
  timeoutMs: 1000,
  nowMicros: 42,
};

const going = new AbortController().signal;

function pipeline(overrides: Partial<RunQueryContext> = {}) {
  const seen: { compiled: CompileRequest[]; executed: CompiledQuery[]; stages: string[] } = {
    compiled: [],
    executed: [],
    stages: [],
  };
  const query = { columns: columns(['STRING']), warnings: [], places: [] } as unknown as CompiledQuery;
  const context: RunQueryContext = {
    definition: DEFINITION,
    queueMs: 1.5,
    onStage: (stage) => seen.stages.push(stage),
    compile: (request) => {
      seen.compiled.push(request);
      return query;
    },
    store: {
      catalog: () => ({ dialect: 'duckdb', sources: [] }),
      execute: (compiled) => {
        seen.executed.push(compiled);
        const values = Array.from({ length: 100 }, (_, index) => `row ${index}`);
        return Promise.resolve({ columns: [values], rowCount: 100, truncated: false });
      },
    },
    ...overrides,
  };
  return {
    context,
    seen,
    query,
    run: (request: Partial<QueryRequest> = {}, signal = going) => runQuery(context, { ...REQUEST, ...request }, signal),
  };
}

test('the stages of a run follow one another, each with the value of the one before', async () => {
  const { run, seen, query } = pipeline();
  const result = await run();
  expect(seen.stages).toEqual(['plan', 'db', 'encode']);
  expect(seen.compiled).toEqual([
    {
      definition: DEFINITION,
      adhoc: null,
      parameters: { project: 'a' },
      catalog: { dialect: 'duckdb', sources: [] },
      extentOf: expect.any(Function),
      nowMicros: 42,
      maxRows: 5,
      redaction: null,
      tenant: null,
    },
  ]);
  expect(seen.executed).toEqual([query]);
  expect(result).toMatchObject({ revision: 3, redacted: false, fields: [{ name: 'f0', type: 'STRING' }] });
  expect(result.timings.queueMs).toBe(1.5);
});

test('a request cannot raise the caps of the saved query', async () => {
  const { run, seen } = pipeline();
  const result = await run({ maxRows: 1000, maxBytes: 1_000_000 });
  expect(seen.compiled[0]?.maxRows).toBe(10);
  expect(result.truncated).toBe(true);
  expect(result.bytes.length).toBeLessThanOrEqual(1024);
});

test.each([
  ['the request', { redact: true }, DEFINITION],
  ['the definition', {}, { ...DEFINITION, redact_pii: true }],
])('redaction requested by %s applies in the store and to the rows', async (_, request, definition) => {
  const { run, seen } = pipeline({ definition });
  expect((await run(request)).redacted).toBe(true);
  expect(seen.compiled[0]?.redaction?.text.steps.length).toBeGreaterThan(0);
});

test('a request cannot weaken the redaction policy of the saved query', async () => {
  const { run, seen } = pipeline({ definition: { ...DEFINITION, redact_pii: true, redact: ['email'] } });
  await run({ redact: false });
  expect(seen.compiled[0]?.redaction).toMatchObject({
    text: { steps: [{ rules: [{ replacement: '\\1[REDACTED:email]' }] }] },
  });
});

test('ad-hoc text without a sandbox is refused before anything is compiled', async () => {
  const { run, seen } = pipeline({ definition: { ...DEFINITION, sandbox: false } });
  await expect(run({ adhoc: { language: 'sql', text: 'select 1' } })).rejects.toMatchObject({
    code: 'sandbox_disabled',
  });
  expect(seen.compiled).toEqual([]);
});

test('a run that was aborted while it was compiled does not reach the store', async () => {
  const { run, seen } = pipeline();
  await expect(run({}, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  expect(seen.executed).toEqual([]);
});

describe('a statement whose names the store does not know', () => {
  const changed = new ServiceError('backend_error', 'the store changed while the query ran', {
    reason: 'schema_changed',
  });

  function failing(failures: number, catalogs: readonly Catalog[]) {
    let reads = 0;
    let runs = 0;
    const { context, seen } = pipeline();
    const store = {
      catalog: () => catalogs[Math.min(reads++, catalogs.length - 1)] as Catalog,
      execute: (query: CompiledQuery) => {
        runs += 1;
        return runs <= failures ? Promise.reject(changed) : context.store.execute(query, going);
      },
    };
    return { run: runQuery({ ...context, store }, REQUEST, going), seen };
  }
  const [before, after]: Catalog[] = [
    { dialect: 'duckdb', sources: [] },
    { dialect: 'duckdb', sources: [] },
  ];

  test('is compiled again when the catalog has changed', async () => {
    const { run, seen } = failing(1, [before!, before!, after!]);
    expect((await run).rows).toBeGreaterThan(0);
    expect(seen.compiled.map(({ catalog }) => catalog)).toEqual([before, after]);
  });

  test('is not reported as a schema change when the catalog is the same', async () => {
    const { run, seen } = failing(1, [before!]);
    const error = await run.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'backend_error', details: {} });
    expect((error as ServiceError).details.reason).toBeUndefined();
    expect(seen.compiled).toHaveLength(1);
  });

  test('is not reported as a schema change when it fails again with the catalog of the second attempt', async () => {
    const { run, seen } = failing(2, [before!, before!, after!]);
    expect(((await run.catch((thrown: unknown) => thrown)) as ServiceError).details.reason).toBeUndefined();
    expect(seen.compiled).toHaveLength(2);
  });
});
