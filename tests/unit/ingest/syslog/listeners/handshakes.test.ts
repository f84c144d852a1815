import { Handshakes } from '#server/ingest/syslog/listeners/handshakes';

function begun(...peers: readonly string[]) {
  const handshakes = new Handshakes<number>();
  const closed: number[] = [];
  for (const [key, peer] of peers.entries()) handshakes.begin(key, { peer, close: () => void closed.push(key) });
  return { handshakes, closed };
}

it('the oldest handshake of the address with the most is closed first', () => {
  const { handshakes, closed } = begun('x', 'y', 'y', 'x', 'y', 'z');
  while (handshakes.closeOldest(null));
  expect(closed).toEqual([1, 0, 2, 3, 4, 5]);
});

it('those of one address are closed, and none of others', () => {
  const { handshakes, closed } = begun('x', 'y', 'x');
  expect([1, 2, 3].map(() => handshakes.closeOldest('x'))).toEqual([true, true, false]);
  expect(closed).toEqual([0, 2]);
});

it('one that has ended is not closed', () => {
  const { handshakes, closed } = begun('x', 'x');
  handshakes.end(0);
  handshakes.end(0);
  expect([handshakes.closeOldest(null), handshakes.closeOldest(null), closed]).toEqual([true, false, [1]]);
});
