/** The sources of files and of the API together. */
import { sourceSchema } from '#contract/events/source';
import { type ApiSource, createSources } from '#server/catalog/definitions/sources';

const source = (name: string): ApiSource => ({
  ...sourceSchema.parse({ name }),
  id: '7d1a9fd0-0000-4000-8000-000000000001',
});
const names = (sources: readonly { readonly name: string }[]): readonly string[] => sources.map(({ name }) => name);

it('the order does not depend on that of the changes, and the sources of files come first', () => {
  const [b, a, file] = [source('b'), source('a'), source('file')];
  const started = createSources([file], [a, b]);
  const changed = createSources([file], [b]);
  const before = changed.all;
  changed.replace({ ofApi: [b, a] });
  expect(names(changed.all)).toEqual(['file', 'a', 'b']);
  expect(changed.all).toEqual(started.all);
  expect(changed.all).not.toBe(before);
  changed.replace({ ofFiles: [source('other')] });
  expect(names(changed.all)).toEqual(['other', 'a', 'b']);
});
