import fc from 'fast-check';
import { shapeOfText } from '#server/stores/duckdb/sealed-layout/json-shape';

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
