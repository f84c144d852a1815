import { HandshakeTurns } from '#server/ingest/syslog/listeners/handshake-turns';

const TIME_MS = 4;

function block(ms: number): void {
  for (const startMs = performance.now(); performance.now() - startMs < ms;);
}

/** @returns the order in which handshakes of these addresses began, and when */
async function begun(...peers: readonly string[]): Promise<readonly (readonly [peer: string, ms: number])[]> {
  const turns = new HandshakeTurns();
  const found: (readonly [string, number])[] = [];
  await new Promise<void>((resolve) => {
    for (const peer of peers) {
      turns.add(peer, () => {
        found.push([peer, performance.now()]);
        // As TLS, which reads the first bytes in the next tick.
        process.nextTick(block, TIME_MS);
        if (found.length === peers.length) resolve();
      });
    }
  });
  return found;
}

it('addresses take turns', async () => {
  const order = (await begun('x', 'x', 'x', 'y', 'x', 'z')).map(([peer]) => peer);
  // The first one begins before the others are there.
  expect(order).toEqual(['x', 'x', 'y', 'z', 'x', 'x']);
});

it('other work has the thread for as long as each has taken', async () => {
  const times = (await begun(...Array.from({ length: 10 }, () => 'x'))).map(([, ms]) => ms);
  for (const [i, ms] of times.slice(1).entries()) expect(ms - times[i]!).toBeGreaterThan(1.9 * TIME_MS);
});

it('one that comes when all have begun begins at once', async () => {
  const turns = new HandshakeTurns();
  for (let count = 0; count < 3; count++) {
    await new Promise<void>((resolve) => turns.add('x', resolve));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
