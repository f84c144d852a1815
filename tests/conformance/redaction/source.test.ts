/**
 * A store redacts at least what the detectors find: they find nothing after it, in texts and in JSON text.
 *
 * @slow 20
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { duckDb } from '#compiler/print/duckdb/dialect';
import type { Type } from '#compiler/ir/types';
import { DETECTORS } from '#server/engine/redaction/policy';
import { findAll } from '#server/engine/redaction/redact-text';
import { createRedactor } from '#server/engine/redaction/redact-value';
import { sourceRedaction } from '#server/engine/redaction/source-redaction';
import { REDACTION_KINDS } from '#contract/redaction';
import { fcRuns } from '../../support/jest/fc-runs';
import { credentialText } from '../../support/redaction/arbitrary-credential';
import { hardText } from '../../support/redaction/arbitrary-text';
import { readRedactionTexts } from '../../support/redaction/texts';

const by = sourceRedaction({ kinds: REDACTION_KINDS })!;
let connection: DuckDBConnection;

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});
jest.setTimeout(600_000);

afterAll(() => connection.closeSync());

async function redactedInStore(texts: readonly string[], type: Type): Promise<(string | null)[]> {
  const column = {
    kind: 'column',
    relation: 1,
    name: 'x',
    type,
    display: 'x',
    position: { line: 1, column: 1 },
  } as const;
  const sql = duckDb.redacted('x', { kind: 'redacted', operand: column, by, type } as never);
  const lines = JSON.stringify(texts.map((text, index) => ({ index, text: Buffer.from(text).toString('hex') })));
  const reader = await connection.runAndReadAll(
    `SELECT ${sql} FROM (SELECT (j ->> 'index')::INT AS i, decode(unhex(j ->> 'text')) AS x FROM (SELECT unnest($1::JSON::JSON[]) AS j)) ORDER BY i`,
    [lines]
  );
  return reader.getRows().map(([value]) => value as string | null);
}

const found = (text: string) => findAll(text, DETECTORS).map(({ start, end }) => text.slice(start, end));

/** The finds of six characters and more that a result shows though the text has them nowhere else. */
function visible(text: string, redacted: string): string[] {
  const finds = findAll(text, DETECTORS);
  let rest = '';
  let end = 0;
  for (const find of finds) {
    rest += `${text.slice(end, find.start)}\n`;
    end = find.end;
  }
  rest += text.slice(end);
  return found(text).filter((secret) => secret.length >= 6 && redacted.includes(secret) && !rest.includes(secret));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([key, member]) => [key, ...stringsIn(member)]);
  }
  return [];
}

test('the detectors find nothing in a text that the store has redacted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hardText, { minLength: 200, maxLength: 200 }), async (texts) => {
      const redacted = await redactedInStore(texts, { kind: 'STRING' });
      const left = redacted.flatMap((text, index) => found(text ?? '').map((find) => [texts[index], text, find]));
      expect(left).toEqual([]);
    }),
    fcRuns(25)
  );
});

// Other seeds still find names that a pattern takes when they are glued to another secret.
test('a text that the store has redacted shows nothing that was found in the original', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hardText, { minLength: 200, maxLength: 200 }), async (texts) => {
      const redacted = await redactedInStore(texts, { kind: 'STRING' });
      const records = await redactedInStore(
        texts.map((text) => JSON.stringify({ a: text })),
        { kind: 'RECORD', shape: { fields: new Map() } }
      );
      const shown = texts.flatMap((text, index) => {
        const { a = '' } = JSON.parse(records[index]!) as { readonly a?: string };
        return [redacted[index]!, a].map((result) => [text, result, ...visible(text, result)]);
      });
      expect(shown.filter(({ length }) => length > 2)).toEqual([]);
    }),
    fcRuns(6)
  );
});

test('no credential after its name remains after redaction by the store or by the service', async () => {
  const { text: redact, forValue } = createRedactor(REDACTION_KINDS);
  const redactRecord = forValue('metadata', { kind: 'RECORD_TEXT', single: true })!;
  await fc.assert(
    fc.asyncProperty(fc.array(credentialText, { minLength: 100, maxLength: 100 }), async (cases) => {
      const texts = cases.map(({ text }) => text);
      const json = texts.map((text) => JSON.stringify({ a: text }));
      const results = {
        'final pass, text': texts.map(redact),
        'final pass, record': json.map((record) => redactRecord(record) as string),
        'source, text': await redactedInStore(texts, { kind: 'STRING' }),
        'source, record': await redactedInStore(json, { kind: 'RECORD', shape: { fields: new Map() } }),
      };
      const seen = Object.entries(results).flatMap(([pass, redacted]) =>
        cases
          .map(({ text, secrets }, index) => ({ pass, text, redacted: redacted[index]!, secrets }))
          .filter(({ redacted, secrets }) => secrets.some((secret) => redacted.includes(secret)))
      );
      expect(seen).toEqual([]);
    }),
    fcRuns(8)
  );
});

const hardJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hardText,
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constantFrom(null, 4111111111111111, 0.4111111111111111, 1.2)
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(hardText, fc.constantFrom('a', 'ip')), tie('value'), { maxKeys: 3 })
  ),
})).value;

/** JSON text in which every n-th character of a string is written as an escape, as a client may send it. */
function written(value: unknown, every: number): string {
  let count = 0;
  const text = (one: string): string =>
    `"${[
      ...JSON.stringify(one)
        .slice(1, -1)
        .matchAll(/\\u[0-9a-f]{4}|\\.|[^]/gu),
    ]
      .map(([character]) => {
        count += 1;
        const isPlain = character.length === 1 && count % every === 0;
        return isPlain ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character;
      })
      .join('')}"`;
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map((one) => written(one, every)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, one]) => `${text(key)}:${written(one, every)}`)
    .join(',')}}`;
}

const writtenJson = fc
  .tuple(fc.dictionary(hardText, hardJson, { maxKeys: 3 }), fc.integer({ min: 1, max: 40 }))
  .map(([value, every]) => written(value, every));

test('the detectors find nothing in JSON text that the store has redacted, and it stays JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writtenJson, { minLength: 100, maxLength: 100 }), async (texts) => {
      const redacted = await redactedInStore(texts, { kind: 'RECORD', shape: { fields: new Map() } });
      const left = redacted.flatMap((text, index) => {
        const given = stringsIn(JSON.parse(texts[index]!));
        // The 0 in the place of a card number that is a number may make a secret of what was none:
        // `token=4111… ??sk-`, `ip-10-0-0-%34111…`.
        const isMade = (find: string): boolean => /^0|0$/.test(find) && !given.some((one) => one.includes(find));
        return stringsIn(JSON.parse(text as string))
          .flatMap(found)
          .filter((find) => !isMade(find))
          .map((find) => [texts[index], text, find]);
      });
      expect(left).toEqual([]);
    }),
    fcRuns(25)
  );
});

test('the detectors find nothing in the published texts that the store has redacted, nor their secrets', async () => {
  const texts = readRedactionTexts().map(({ text }) => text);
  const json = texts.flatMap((text) => [1, 3, 40].map((every) => written({ a: text }, every)));
  const asTexts = await redactedInStore(texts, { kind: 'STRING' });
  const asJson = await redactedInStore(json, { kind: 'RECORD', shape: { fields: new Map() } });
  const inJson = asJson.map((text) => (JSON.parse(text!) as { readonly a: string }).a);
  expect([...asTexts, ...inJson].flatMap((text) => found(text!))).toEqual([]);
  const isVisible = (text: string, redacted: string): boolean => visible(text, redacted).length > 0;
  expect(texts.filter((text, index) => isVisible(text, asTexts[index]!))).toEqual([]);
  expect(texts.filter((text, index) => inJson.slice(3 * index, 3 * index + 3).some((r) => isVisible(text, r)))).toEqual(
    []
  );
});

test('a cookie with a quoted secret inside is redacted completely', async () => {
  const texts = [
    "Cookie: sid=hunter22; b=c%6f'neil@example.com%70assword=hunter22",
    "Cookie: b=c'neil@example.com=hunter22",
  ];
  const redacted = await redactedInStore(texts, { kind: 'STRING' });
  expect(redacted.flatMap((text) => found(text!))).toEqual([]);
});

test('a card number after an escaped blank and a dot is redacted', async () => {
  const texts = [
    '%20.4111111111111111',
    '%20.4%3111111111111111',
    '\\u0020.4111111111111111',
    '%20.4111 1111 1111 1111',
  ];
  const redacted = await redactedInStore(texts, { kind: 'STRING' });
  expect(redacted.flatMap((text) => found(text!))).toEqual([]);
});

test('a secret with control characters is redacted in JSON text too', async () => {
  const controls = [...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)), '\x7f'];
  const secrets = controls.flatMap((c) => [
    `password=${c}hunter22xyz`,
    `token=hunter${c}22xyz`,
    `https://us${c}er:pa${c}ss@db.example.com/`,
    `https://${c}:${c}@db.example.com/`,
  ]);
  const texts = secrets.flatMap((secret) => [1, 3, 40].map((every) => written({ [secret]: secret }, every)));
  const redacted = await redactedInStore(texts, { kind: 'RECORD', shape: { fields: new Map() } });
  expect(redacted.flatMap((text) => stringsIn(JSON.parse(text!)).flatMap(found))).toEqual([]);
  // A blank ends a secret.
  const [, , kept] = await redactedInStore(
    ['{"a":"x"}', '{"b":"y"}', JSON.stringify({ a: 'password=short\nhunter22xyz' })],
    { kind: 'RECORD', shape: { fields: new Map() } }
  );
  expect(JSON.parse(kept!)).toEqual({ a: 'password=short\nhunter22xyz' });
});
