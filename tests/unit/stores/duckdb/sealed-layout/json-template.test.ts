import { findTemplates, restPaths } from '#server/stores/duckdb/sealed-layout/json-template';

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

test.each([
  [16, 16],
  [17, 0],
])('a text with %i values without a column has %i of them in a template', async (count, kept) => {
  const values = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
  const templates = await findTemplates(
    Array.from({ length: 20 }, () => JSON.stringify({ a: 1, ...values })),
    ([key]) => (key === 'a' ? { kind: 'leaf', column: 'metadata.a', type: 'INT64' } : null),
    () => Promise.resolve()
  );
  expect(templates.flatMap(({ root }) => [...restPaths(root)])).toHaveLength(kept);
});
