import { ConnectionPlaces } from '#server/ingest/syslog/listeners/places';

it('a listener and an address leave places to others, and places are given back', () => {
  const places = new ConnectionPlaces({ max: 5, maxOfListener: 3, maxOfPeer: 2 });
  const taken = ['x', 'x', 'x', 'y', 'z'].map((peer) => places.take('a', peer));
  expect(taken.map((place) => place !== null)).toEqual([true, true, false, true, false]);
  expect([places.take('b', 'x'), places.take('b', 'x'), places.take('b', 'y')].map((place) => place !== null)).toEqual([
    true,
    true,
    false,
  ]);
  taken[0]!();
  expect(places.take('b', 'y')).not.toBeNull();
  expect(places.take('a', 'x')).toBeNull();
});
