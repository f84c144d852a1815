import fc from 'fast-check';
import { pointedKeys, shapeOfText } from '#server/stores/duckdb/sealed-layout/json-shape';
import { LINEAR_MS, processorMs } from '../../../../support/jest/processor-time';

test('a text is escaped where JSON has other characters than it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = JSON.stringify(text);
      const shape = shapeOfText(JSON.stringify({ a: text }));
      expect(shape?.get('a')).toBe(json === `"${text}"` ? 'text' : 'escaped');
    })
  );
});

test.each([...Array(0x100).keys(), 0x2028, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfeff, 0xffff].map((code) => [code]))(
  'character %i',
  (code) => {
    const text = `a${String.fromCharCode(code)}b`;
    const shape = shapeOfText(JSON.stringify({ a: text }));
    expect(shape?.get('a')).toBe(JSON.stringify(text) === `"${text}"` ? 'text' : 'escaped');
  }
);

test.each([
  ['{"a":2.0,"b":2,"c":2.5,"d":{"e":-10.0},"f":[1.0]}', ['"a"', '"e"']],
  ['{"a \\" b":2.0,"\\\\":3.0}', ['"a \\" b"', '"\\\\"']],
  ['{"a":"\\"b\\":2.0,","c":1}', []],
  ['{"a":"b","c":"d:1.0,","e":4.0}', ['"e"']],
])('keys with a point of %s', (json, keys) => {
  expect(pointedKeys(json)).toEqual(keys);
});

test('keys are found in linear time in long texts with quotes', () => {
  const json = JSON.stringify({ a: '"'.repeat(30_000) });
  expect(processorMs(() => pointedKeys(json), LINEAR_MS)).toBeLessThan(LINEAR_MS);
});
