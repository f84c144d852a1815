import { exploreUrl, uidOfSettings } from './links';
import { authorOf, noteOf } from './author';

test.each([
  ['/connections/datasources/edit/uid-1', 'uid-1'],
  ['/grafana/datasources/edit/a%20b/', 'a b'],
  ['/d/dashboard', undefined],
])('the address %s names the data source %s', (pathname, uid) => {
  expect(uidOfSettings(pathname)).toBe(uid);
});

test('Explore opens with a call of the saved query', () => {
  const url = new URL(exploreUrl('uid-1', { id: 'id-1', name: 'edge.slow' }), 'http://grafana');
  expect(url.pathname).toBe('/explore');
  expect(JSON.parse(url.searchParams.get('panes')!)).toMatchObject({
    saved: { datasource: 'uid-1', queries: [{ mode: 'saved', endpoint: { id: 'id-1', name: 'edge.slow' } }] },
  });
});

test.each([
  ['saved in Grafana by ann (organization 3): first\nsecond', 'ann (grafana)', 'first\nsecond'],
  ['saved in Grafana by ann (organization 3)', 'ann (grafana)', ''],
  ['by hand', 'grafana', 'by hand'],
  [null, 'grafana', ''],
])('the note %j is by %s', (message, author, note) => {
  const by = { token_name: 'grafana' };
  expect([authorOf({ by, message }), noteOf({ message })]).toEqual([author, note]);
});
