import type { OutputColumn, OutputType } from '#compiler/output/compiled-query';
import { redact } from '#server/engine/query/redact';
import type { StoreValue } from '#server/stores/store-value';

const ALL = { kinds: ['token', 'email', 'ip', 'card'] } as const;
const TEXT = { kind: 'STRING' } as const;
const RECORD = { kind: 'RECORD_TEXT', single: true } as const;

function redacted(type: OutputType, value: StoreValue): StoreValue | undefined {
  const field: OutputColumn = { name: 'ip 1.2.3.4', type, typeName: 'T' };
  return redact([field], { columns: [[value]], rowCount: 1, truncated: false }, ALL).columns[0]?.[0];
}

test('rows without a redaction policy are unchanged and not marked as redacted', () => {
  const rows = { columns: [['1.2.3.4']], rowCount: 1, truncated: false };
  expect(redact([], rows, null)).toEqual({ ...rows, fields: [], isRedacted: false, replaced: {} });
});

test('texts are redacted at any depth', () => {
  const struct = { kind: 'STRUCT', fields: [{ name: 'a', type: TEXT, typeName: 'STRING' }] } as const;
  expect(redacted({ kind: 'ARRAY', element: struct }, [['from 1.2.3.4'], null, [null]])).toEqual([
    ['from [REDACTED:ip]'],
    null,
    [null],
  ]);
});

test('bytes are redacted as the text that they hold, and stay as they are without a find', () => {
  const bytes = { kind: 'BYTES' } as const;
  const base64 = (text: string, encoding: BufferEncoding = 'utf8'): string =>
    Buffer.from(text, encoding).toString('base64');
  expect(redacted(bytes, base64('from 1.2.3.4'))).toBe(base64('from [REDACTED:ip]'));
  expect(redacted(bytes, Buffer.concat([Buffer.from([0xff]), Buffer.from(' 1.2.3.4')]).toString('base64'))).toBe(
    base64('\ufffd [REDACTED:ip]')
  );
  expect(redacted({ kind: 'ARRAY', element: bytes }, [base64('bob@example.com'), null])).toEqual([
    base64('[REDACTED:email]'),
    null,
  ]);
  for (const kept of ['', base64('nothing'), base64('ff00fe', 'hex')]) expect(redacted(bytes, kept)).toBe(kept);
  const secret: OutputColumn = { name: 'api_key', type: bytes, typeName: 'BYTES' };
  const rows = { columns: [[base64('x'), null, '']], rowCount: 3, truncated: false };
  expect(redact([secret], rows, ALL).columns).toEqual([[base64('[REDACTED:token]'), null, '']]);
});

test('replacements are counted by kind, in texts and in both forms of JSON', () => {
  const fields: OutputColumn[] = [
    { name: 'a', type: TEXT, typeName: 'STRING' },
    { name: 'b', type: RECORD, typeName: 'STRUCT' },
  ];
  const columns = [
    ['1.2.3.4 and 5.6.7.8', null, 'nothing'],
    ['{"a":"1.2.3.4"}', String.raw`{"a":"x\n1.2.3.4 bob@example.com"}`, '{"n":1}'],
  ];
  expect(redact(fields, { columns, rowCount: 3, truncated: false }, ALL).replaced).toEqual({ ip: 4, email: 1 });
});

test('a text in a column with the name of a credential is hidden completely; a number stays', () => {
  const fields: OutputColumn[] = [
    { name: 'api_key', type: TEXT, typeName: 'STRING' },
    { name: 'token', type: { kind: 'INT64' }, typeName: 'INT64' },
  ];
  const { columns } = redact(
    fields,
    {
      columns: [
        ['x', null],
        [12n, null],
      ],
      rowCount: 2,
      truncated: false,
    },
    ALL
  );
  expect(columns).toEqual([
    ['[REDACTED:token]', null],
    [12n, null],
  ]);
});

test.each<[OutputType['kind'], StoreValue]>([
  ['INT64', 4111111111111111n],
  ['FLOAT64', 4111111111111111],
  ['TIMESTAMP', 1n],
  ['BOOL', true],
])('a %s stays', (kind, value) => {
  expect(redacted({ kind } as OutputType, value)).toBe(value);
});

test('column names stay, and names of nested fields in a type do not reveal what is hidden', () => {
  const field: OutputColumn = { name: 'ip 1.2.3.4', type: TEXT, typeName: 'STRUCT<1.2.3.4 STRING>' };
  const { fields } = redact([field], { columns: [[]], rowCount: 0, truncated: false }, ALL);
  expect(fields).toMatchObject([{ name: 'ip 1.2.3.4', typeName: 'STRUCT<[REDACTED:ip] STRING>' }]);
});

test.each([
  [
    'what is meant counts, not how it is written',
    String.raw`{"a":"\u0031.2.3.4\n1.2.3.4"}`,
    String.raw`{"a":"[REDACTED:ip]\n[REDACTED:ip]"}`,
  ],
  ['keys are texts too', '{"1.2.3.4":{"bob@example.com":1}}', '{"[REDACTED:ip]":{"[REDACTED:email]":1}}'],
  [
    'equal keys get numbers',
    '{"1.2.3.4":1,"5.6.7.8":2,"x":{"9.9.9.9":3}}',
    '{"[REDACTED:ip]":1,"[REDACTED:ip]_2":2,"x":{"[REDACTED:ip]":3}}',
  ],
  [
    'numbers keep their digits',
    '{"n":[4111111111111111,0.10,1e400],"s":"4111111111111111"}',
    '{"n":[4111111111111111,0.10,1e400],"s":"[REDACTED:card]"}',
  ],
  [
    'values below the name of a credential are hidden, at every depth and in lists',
    '{"a":{"dbPassword":"x","x-api-key":["y",12345],"set-cookie":"s=1","pin_token":123456},"token_type":"bearer","tokens_used":12}',
    '{"a":{"dbPassword":"[REDACTED:token]","x-api-key":["[REDACTED:token]","[REDACTED:token]"],"set-cookie":"[REDACTED:token]","pin_token":"[REDACTED:token]"},"token_type":"bearer","tokens_used":12}',
  ],
  [
    'records and flags below the name of a credential stay',
    '{"authorization":[{"payload":{"role":"anon"}}],"secret":true,"cookie":null,"apikey":{"prefix":"abc"},"password":""}',
    '{"authorization":[{"payload":{"role":"anon"}}],"secret":true,"cookie":null,"apikey":{"prefix":"abc"},"password":""}',
  ],
  [
    'a key behind escapes is the key it means',
    String.raw`{"p\u0061ssword":"x\"y"}`,
    String.raw`{"p\u0061ssword":"[REDACTED:token]"}`,
  ],
  ['other bytes stay', String.raw`{"a":"\u00e9\/","b":"1.2.3.4"}`, String.raw`{"a":"\u00e9\/","b":"[REDACTED:ip]"}`],
  [
    'a value that looks like a key is not one',
    '{"a":"1.2.3.4\\":","b":[":","1.2.3.4",":"]}',
    '{"a":"[REDACTED:ip]\\":","b":[":","[REDACTED:ip]",":"]}',
  ],
])('JSON text is redacted: %s', (_, json, expected) => {
  expect(redacted(RECORD, json)).toBe(expected);
  expect(() => JSON.parse(String(redacted(RECORD, json)))).not.toThrow();
});

test('a text that is too long for the search fails with a limit that the caller can act on', () => {
  expect(() => redacted(TEXT, `token="${'x'.repeat(30_000_000)}`)).toThrow(
    expect.objectContaining({ code: 'resource_limit', details: { reason: 'text_too_long' } })
  );
});
