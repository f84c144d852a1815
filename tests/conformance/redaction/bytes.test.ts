/**
 * Bytes of a saved query's tables hide what texts would hide: no statement tells two stores apart that differ only in
 * that.
 *
 * @slow 15
 */
import { savedQuerySchema } from '#contract/queries/saved-query';
import { answerOf, openTwinStores, type TwinStores } from '../../support/redaction/twin-stores';

const definition = savedQuerySchema.parse({
  id: '00000000-0000-4000-8000-000000000002',
  name: 'hidden.bytes',
  query: `
    with logs as (
      select
        id,
        cast(event_message as bytes) as b,
        b'\\xff\\x00 ' || cast(event_message as bytes) || b' \\xc3' as odd,
        from_base64(to_base64(cast(event_message as bytes))) as decoded,
        split(cast(event_message as bytes), b'|') as parts,
        struct(cast(event_message as bytes) as inner_bytes, 1 as n) as record,
        cast('s3cret' as bytes) as api_key,
        starts_with(cast(event_message as bytes), cast(@start as bytes)) as is_start,
        strpos(cast(event_message as bytes), cast(@start as bytes)) as place
      from edge_requests
    )
    select * from logs order by id`,
  parameters: [{ name: 'start' }],
  sandbox: true,
  redact_pii: true,
});

let twins: TwinStores;
beforeAll(async () => {
  twins = await openTwinStores();
}, 60_000);
afterAll(() => twins.close());

const both = (asked: Parameters<typeof answerOf>[2]): Promise<readonly string[]> =>
  Promise.all(twins.stores.map((store) => answerOf(store, definition, asked)));

const decoded = (answer: string): string =>
  answer.replace(/[A-Za-z0-9+/]{8,}={0,2}/g, (text) => Buffer.from(text, 'base64').toString('latin1'));

const STATEMENTS = [
  'select id, b from logs order by id',
  'select id, odd, to_hex(odd) as h from logs order by id',
  'select id, substr(b, 2) as x, reverse(b) as y, to_code_points(b) as z from logs order by id',
  'select id, to_base64(b) as x, to_hex(decoded) as y, md5(b) as z from logs order by id',
  'select id, cast(b as string) as x, left(safe_convert_bytes_to_string(odd), 9) as y from logs order by id',
  'select id, parts, array_length(parts) as n from logs order by id',
  'select id, to_json_string(record) as x, record.inner_bytes as y from logs order by id',
  'select b, count(*) as n from logs group by b order by b',
  "select count(*) as n from logs where strpos(b, b'203') > 0 or b > b'GET from 2'",
  'select id, api_key, length(api_key) as n from logs order by id',
  'select max(decoded) as x, min(odd) as y, count(distinct b) as n from logs',
  'select id, code_points_to_string(to_code_points(safe_convert_bytes_to_string(odd))) as x from logs order by id',
];

test.each(STATEMENTS)('%s', async (text) => {
  const [left, right] = await both({ adhoc: { language: 'sql', text } });
  expect(left).toBe(right);
  expect(left).toContain('"rows":');
  expect(decoded(left!)).not.toMatch(/alice|s3cret/);
});

test.each(['GET from 203', 'alice', '203'])('a parameter is searched for in redacted bytes: %s', async (start) => {
  const [left, right] = await both({ parameters: { start } });
  expect(left).toBe(right);
});

test.each(['json', 'csv', 'ndjson'] as const)(
  'the saved query hides in bytes what a text hides, as %s',
  async (format) => {
    const [left] = await both({ format, meta: false });
    expect(decoded(left!)).toContain('[REDACTED:ip]');
    expect(decoded(left!)).not.toMatch(/203\.0\.113\.7|alice/);
  }
);
