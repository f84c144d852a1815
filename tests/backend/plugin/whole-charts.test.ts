/** Charts that a row limit would truncate: they get wider buckets, a warning, or an error in an alert rule. */
import { decodeFrame } from '../support/decode-frame';
import { type PluginHost, startPlugin } from '../support/plugin-host';
import { edgeRequest, type SampleService, startSampleService } from '../support/sample-service';

const PROJECT = 'orchardcounts';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const STEP_MS = 30_000;
const STEPS = 720;
const HOUR_MS = 3_600_000;
const TO_MS = Math.floor(Date.now() / STEP_MS) * STEP_MS - 60_000;
const RANGE = { from: TO_MS - (STEPS - 1) * STEP_MS, to: TO_MS };
/** Maximum rows of the saved query. */
const CAP = 1_000;

let host: PluginHost;
let sample: SampleService;

beforeAll(async () => {
  [host, sample] = await Promise.all([startPlugin(), startSampleService()]);
  const events = Array.from({ length: STEPS }, (_, step) =>
    METHODS.map((method, n) => {
      const event = edgeRequest(PROJECT, TO_MS - step * STEP_MS, n) as { metadata: { request: object } };
      return { ...event, metadata: { ...event.metadata, request: { ...event.metadata.request, method } } };
    })
  ).flat();
  await sample.ingest(events);
}, 60_000);

afterAll(async () => {
  await host.stop();
  await sample.stop();
});

const lql = (group: string, more: object = {}) => ({
  endpoint: { name: 'logs.all' },
  mode: 'lql',
  params: { project: PROJECT },
  lql: `f:edge_logs $__timeFilter c:count(*) c:group_by(${group}) c:group_by(m.request.method)`,
  ...more,
});
const SQL = `select $__timeGroup(timestamp) as time, rq.method, count(*) as n from edge_logs
  cross join unnest(metadata) as md cross join unnest(md.request) as rq where $__timeFilter(timestamp) group by time, method`;

async function ask(query: object, headers: Record<string, string> = {}) {
  const wanted = { refId: 'A', query, ...RANGE, intervalMs: STEP_MS, maxDataPoints: STEPS };
  return (await host.query(sample.source, [wanted], { headers }))['A']!;
}

async function chart(query: object) {
  const { error, frames } = await ask(query);
  expect(error).toBe('');
  const frame = decodeFrame(frames[0]!);
  const [time, ...series] = frame.fields;
  const total = series.flatMap(({ values }) => values).reduce((sum: number, n) => sum + Number(n ?? 0), 0);
  return { frame, time: time!, series, total, lastMs: Number(((time!.values as bigint[]).at(-1) ?? 0n) / 1_000_000n) };
}

test.each([
  ['LQL', lql('$__timeGroup')],
  ['SQL without an order', { ...lql(''), mode: 'sql', sql: SQL }],
])('%s: the chart shows the whole range in wider buckets, and a notice says how wide', async (_, query) => {
  const { frame, time, series, total, lastMs } = await chart(query);
  expect(series.flatMap(({ labels }) => Object.values(labels)).sort()).toEqual([...METHODS].sort());
  expect(total).toBe(STEPS * METHODS.length);
  expect(TO_MS - lastMs).toBeLessThan(300_000);
  expect(time.config).toEqual({ interval: 300_000 });
  expect(frame.length * METHODS.length).toBeLessThanOrEqual(CAP);
  expect(frame.meta.notices).toEqual([
    {
      severity: 'info',
      text: 'Each point covers 5m: with 30s the result has more rows than the endpoint or the token allows.',
    },
  ]);
});

test('buckets with a width in the text stay, and a warning says that rows are missing', async () => {
  const { frame, total } = await chart(lql('t::30s'));
  expect(total).toBe(CAP);
  expect(frame.meta.notices).toEqual([
    {
      severity: 'warning',
      text: 'The service cut the result at 1000 rows, a cap of the endpoint or the token: what is shown is not all.',
    },
  ]);
});

test('an alert rule with a truncated result fails, and its buckets are not widened', async () => {
  const message = 'The result was cut at 1000 rows; alert rules and expressions need all of it.';
  for (const query of [lql('$__timeGroup'), lql('t::30s')]) {
    const { error, status, errorSource } = await ask(query, { FromAlert: 'true' });
    expect({ status, errorSource }).toEqual({ status: 400, errorSource: 'downstream' });
    expect(error).toContain(message);
  }
  expect((await ask(lql('t::30s'), { 'http_X-Grafana-From-Expr': 'true' })).error).toContain(message);
  expect((await ask(lql('t::1h'), { FromAlert: 'true' })).error).toBe('');
});

test('an alert rule also fails when the query itself leaves rows out', async () => {
  expect((await ask(lql('t::1h', { maxRows: 5 }), { FromAlert: 'true' })).error).toContain('was cut at 5 rows');
});

test.each([
  ['the macro', { lql: 'f:edge_logs $__timeFilter m.request.method:PURGE c:count(*) c:group_by($__timeGroup(1h, 0))' }],
  [
    'the option',
    { lql: 'f:edge_logs $__timeFilter m.request.method:PURGE c:count(*) c:group_by(t::1h)', fill: 'zero' },
  ],
])('with %s, hours without events count as zero', async (_, more) => {
  const { time, series, frame } = await chart(lql('', more));
  const hours = Math.floor(RANGE.to / HOUR_MS) - Math.floor(RANGE.from / HOUR_MS) + 1;
  expect(frame.length).toBe(hours);
  expect(time.config).toEqual({ interval: HOUR_MS });
  expect(series[0]!.values.map(Number)).toEqual(Array(hours).fill(0));
});

test('hours without events have no points unless the query asks for zeros', async () => {
  const { frame } = await chart(
    lql('', { lql: 'f:edge_logs $__timeFilter m.request.method:PURGE c:count(*) c:group_by(t::1h)' })
  );
  expect(frame.length).toBe(0);
});
