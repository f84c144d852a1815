import fc from 'fast-check';
import { recordJson, wrapRecordText } from '#server/engine/query/encode/json/record-text';
import { anyRecordText } from '../../../../../support/arbitrary/result';
import { encodeCases } from '../../../../../support/cases/results';
import { LINEAR_MS, processorMs } from '../../../../../support/jest/processor-time';
import { type JsonValue, wrapNested } from '../../../../../support/references/json';

test.each(encodeCases('record-text.txt'))('the record %s becomes %s', (text, wrapped) => {
  expect(wrapRecordText(text, true)).toBe(wrapped);
  expect(wrapRecordText(text, false)).toBe(wrapped.slice(1, -1));
});

test('a list of records stays a list', () => {
  expect(wrapRecordText('[{"a":{"b":1}},{}]', true)).toBe('[{"a":[{"b":1}]},{}]');
});

test('an absent record is an empty list when records are single, and otherwise null', () => {
  expect(['null', null].map((text) => [recordJson(text, true), recordJson(text, false)])).toEqual([
    ['[]', 'null'],
    ['[]', 'null'],
  ]);
});

test('wrapping any record as text is the same as parsing, wrapping and writing it', () => {
  fc.assert(
    fc.property(anyRecordText, (text) => {
      expect(wrapRecordText(text, false)).toBe(JSON.stringify(wrapNested(JSON.parse(text) as JsonValue)));
    }),
    { numRuns: 1000 }
  );
});

test('any record with blanks and line breaks is wrapped the same', () => {
  fc.assert(
    fc.property(anyRecordText, (text) => {
      const spaced = JSON.stringify(JSON.parse(text), null, 2);
      expect(JSON.parse(wrapRecordText(spaced, true))).toEqual(JSON.parse(wrapRecordText(text, true)));
    })
  );
});

test.each([
  ['quotes after backslashes', `{"a":"${'\\"'.repeat(500_000)}"}`],
  ['backslashes', `{"a":"${'\\\\'.repeat(500_000)}"}`],
  ['depth', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['brackets', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  ['digits', `{"a":${'9'.repeat(1_000_000)}}`],
  ['an open text', `{"a":"${'x'.repeat(1_000_000)}`],
])('a megabyte of %s takes time in proportion to its length', (_, text) => {
  expect(wrapRecordText(text, true).length).toBeGreaterThanOrEqual(text.length);
  expect(processorMs(() => wrapRecordText(text, true), LINEAR_MS)).toBeLessThan(LINEAR_MS);
});
