import { findTemplates } from '#server/stores/duckdb/sealed-layout/json-template';

test('texts with more keys than a template may have are not compared key by key', async () => {
  const wide = (n: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`k${i + n}`, i])));
  const texts = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? wide(n) : '{"a":1,"b":{"c":2}}'));
  const paths = new Set<string>();
  const templates = await findTemplates(
    texts,
    (path) => {
      paths.add(path.join('.'));
      return null;
    },
    () => Promise.resolve()
  );
  expect(templates.map(({ root }) => root.keys)).toEqual([['a', 'b']]);
  expect([...paths]).toEqual(['a', 'b']);
});
