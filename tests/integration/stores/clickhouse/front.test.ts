/** The engine of the ClickHouse tests answers the client as a server does. */
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { type ClickHouseEngine, startClickHouseEngine } from '../../../support/processes/clickhouse';

let engine: ClickHouseEngine;
let client: ClickHouseClient;

beforeAll(async () => {
  engine = await startClickHouseEngine();
  client = createClient({
    url: engine.url,
    compression: { response: true },
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  });
}, 30_000);
afterAll(async () => {
  await client.close();
  await engine.stop();
});
afterEach(() => engine.setRules([]));

async function rows(query: string, query_params: Record<string, unknown> = {}): Promise<unknown> {
  const answer = await client.query({ query, query_params, format: 'JSONCompactEachRow' });
  return answer.json();
}

test('values are bound unchanged', async () => {
  const text = "it's\ta \\ {p1:String}\n";
  expect(await rows('SELECT {p1:String}, {p2:Nullable(Int64)}', { p1: text, p2: null })).toEqual([[text, null]]);
});

test('many values are bound unchanged', async () => {
  const values = Array.from({ length: 5000 }, (_, n) => `a'\\ ${n}`);
  expect(
    await rows('SELECT length({ids:Array(String)}), {ids:Array(String)}[5000], {p1:String}', { ids: values, p1: 'x' })
  ).toEqual([[5000, "a'\\ 4999", 'x']]);
});

const THROWS_LATE = "SELECT number, throwIf(number = 900000, 'no') FROM numbers(1000000)";

test('an exception before the response has an HTTP status', async () => {
  await expect(rows('SELEC 1')).rejects.toMatchObject({ code: '62' });
});

test('an exception after the first rows ends the response with its length and the tag of the header', async () => {
  const response = await fetch(`${engine.url}/?default_format=JSONCompactEachRow`, {
    method: 'POST',
    body: THROWS_LATE,
  });
  expect(response.status).toBe(200);
  const body = await response.text();
  const tag = response.headers.get('x-clickhouse-exception-tag')!;
  const [, text, length] = new RegExp(
    `\\r\\n__exception__\\r\\n${tag}\\r\\n(.*\\n)(\\d+) ${tag}\\r\\n__exception__\\r\\n$`,
    's'
  ).exec(body)!;
  expect(text).toMatch(/^Code: 395\. DB::Exception/);
  expect(Buffer.byteLength(text!)).toBe(Number(length));
  expect(body).toMatch(/^\[0, ?0\]\n/);
});

test('a response that waits for the end of the query has the status of the exception', async () => {
  const answer = client.query({
    query: THROWS_LATE,
    format: 'JSONCompactEachRow',
    clickhouse_settings: { wait_end_of_query: 1 },
  });
  await expect(answer).rejects.toMatchObject({ code: '395' });
});

test('a query is killed by its id', async () => {
  const running = client.query({
    query: 'SELECT sum(sleepEachRow(0.1)) FROM numbers(1000) SETTINGS max_block_size = 1',
    query_id: 'slow',
    format: 'JSONCompactEachRow',
  });
  const ended = expect(running.then((answer) => answer.json())).rejects.toMatchObject({ code: '394' });
  const kill = (): Promise<unknown> =>
    client.command({ query: 'KILL QUERY WHERE query_id = {id:String} ASYNC', query_params: { id: 'slow' } });
  // It may not have begun when the first word comes.
  const timer = setInterval(() => void kill(), 200);
  await ended;
  clearInterval(timer);
});

test('a subquery of one value that runs long holds no other query up, and is killed', async () => {
  const running = client.query({
    query: `SELECT (SELECT count() FROM numbers(100000) AS a CROSS JOIN numbers(100000) AS b CROSS JOIN numbers(1000) AS c
      WHERE (a.number + b.number) % 7 = c.number) SETTINGS max_execution_time = 50`,
    query_id: 'long value',
    format: 'JSONCompactEachRow',
    clickhouse_settings: { wait_end_of_query: 1 },
  });
  const ended = expect(running).rejects.toMatchObject({ code: '394' });
  expect(await rows('SELECT 1')).toEqual([[1]]);
  await client.command({ query: "KILL QUERY WHERE query_id = 'long value' ASYNC" });
  await ended;
});

test.each([
  ['a password', 516, { username: 'reader', password: 'wrong' }],
  ['a right to write', 164, { username: 'reader', password: 'read' }],
])('%s is required', async (_, code, user) => {
  const other = createClient({ url: engine.url, ...user, log: { level: ClickHouseLogLevel.OFF } });
  const attempt = other.command({ query: 'CREATE TABLE x (a Int64) ENGINE = Memory' });
  await expect(attempt).rejects.toMatchObject({ code: String(code) });
  await other.close();
});

test('a fault rule applies as often as it says, and the engine works again after', async () => {
  await engine.setRules([{ match: 'numbers', times: 1, then: { cutAfterBytes: 1000 } }]);
  await expect(rows('SELECT number FROM numbers(100000)')).rejects.toThrow();
  expect(await rows('SELECT count() FROM numbers(10)')).toEqual([[10]]);
  await engine.restart();
  expect(await rows('SELECT 1')).toEqual([[1]]);
});
