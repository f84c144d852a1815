/** What is kept of a response must never be shown for another one. */
import { Int64, RecordBatchStreamWriter, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { decodeFrame, type DecodedFrame } from '../support/decode-frame';
import { type PluginHost, startPlugin } from '../support/plugin-host';
import { startStub, type StubService } from '../support/stub-service';

const ARROW = 'application/vnd.apache.arrow.stream';

let host: PluginHost;
let stub: StubService;
/** Next response. */
let next: { readonly value: bigint; readonly headers?: Record<string, string> } = { value: 0n };

function rowsOf(value: bigint): Uint8Array {
  const table = new Table({
    name: vectorFromArray(['a', 'b'], new Utf8()),
    value: vectorFromArray([value, value + 1n], new Int64()),
  });
  return new RecordBatchStreamWriter().writeAll(table.batches).finish().toUint8Array(true);
}

beforeAll(async () => {
  [host, stub] = await Promise.all([
    startPlugin(),
    startStub((_req, res) => {
      res.writeHead(200, { 'Content-Type': ARROW, 'Cache-Status': 'log-query; hit; ttl=9', ...next.headers });
      res.end(rowsOf(next.value));
    }),
  ]);
});

afterAll(async () => {
  await host.stop();
  await stub.close();
});

async function frameOf(
  response: typeof next,
  { refId = 'A', format = 'table', source = {}, headers = {} } = {}
): Promise<DecodedFrame> {
  next = response;
  const query = { endpoint: { name: 'counts' }, format };
  const answers = await host.query({ url: stub.url, ...source }, [{ refId, query }], { headers });
  const { error, frames } = answers[refId]!;
  expect(error).toBe('');
  return decodeFrame(frames[0]!);
}

const valuesOf = (frame: DecodedFrame): unknown => frame.field('value').values;

test('a repeated result is shown with the age, the id and the notices of its own response', async () => {
  const first = await frameOf({ value: 1n, headers: { Age: '3', 'X-Request-Id': 'one' } });
  const repeated = await frameOf(
    { value: 1n, headers: { Age: '4', 'X-Request-Id': 'two', 'SVC-ENDPOINT-TRUNCATED': 'true' } },
    { refId: 'B' }
  );

  expect([first, repeated].map(({ refId, meta }) => [refId, meta.custom])).toEqual([
    ['A', expect.objectContaining({ ageSeconds: 3, requestId: 'one' })],
    ['B', expect.objectContaining({ ageSeconds: 4, requestId: 'two' })],
  ]);
  expect(repeated.meta.notices?.map(({ severity }) => severity)).toEqual(['warning', 'info']);
  expect(first.meta.notices?.map(({ severity }) => severity)).toEqual(['info']);
  expect(repeated.fields).toEqual(first.fields);
});

test('a changed result is shown at once, and so is the one before when it returns', async () => {
  const values = [];
  for (const value of [1n, 1n, 2n, 2n, 1n]) values.push(valuesOf(await frameOf({ value })));
  expect(values).toEqual([
    [1n, 2n],
    [1n, 2n],
    [2n, 3n],
    [2n, 3n],
    [1n, 2n],
  ]);
});

test('a repeated result has the form that each query wants', async () => {
  const inPanel = await frameOf({ value: 5n });
  const inAlert = await frameOf({ value: 5n }, { headers: { FromAlert: 'true' } });
  const again = await frameOf({ value: 5n });

  expect([inPanel, inAlert, again].map(({ meta }) => meta.type)).toEqual(['table', 'numeric-wide', 'table']);
  expect(again.fields).toEqual(inPanel.fields);
});

test('data sources and organizations have results of their own', async () => {
  const sources = [{ uid: 'one' }, { uid: 'two' }, { uid: 'one', orgId: 2 }, { uid: 'one', secure: { apiKey: 'k' } }];
  for (const round of [0n, 1n]) {
    const values = [];
    for (const [at, source] of sources.entries())
      values.push(valuesOf(await frameOf({ value: BigInt(at) * 10n + round }, { source })));
    expect(values).toEqual(sources.map((_, at) => [BigInt(at) * 10n + round, BigInt(at) * 10n + round + 1n]));
  }
});
