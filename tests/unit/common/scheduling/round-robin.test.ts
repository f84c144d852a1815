/** Turns on the server's thread are in order, one in each pass of the event loop, and shared between owners. */
import { setImmediate as pass } from 'node:timers/promises';
import { RoundRobin } from '#server/common/scheduling/round-robin';

it('owners take turns, and each keeps its order', async () => {
  const turns = new RoundRobin();
  const taken: string[] = [];
  const take = (owner: string, name: string): Promise<void> => turns.next(owner).then(() => void taken.push(name));
  await Promise.all([...'abc'].map((name) => take('many', name)).concat(take('one', '1'), take('two', '2')));
  expect(taken).toEqual(['a', '1', '2', 'b', 'c']);
});

it('there is one turn in a pass of the event loop', async () => {
  const turns = new RoundRobin();
  let taken = 0;
  const all = Promise.all(Array.from({ length: 10 }, () => turns.next('owner').then(() => taken++)));
  for (let last = 0; taken < 10; last = taken) {
    await pass();
    expect(taken - last).toBeLessThanOrEqual(1);
  }
  await all;
});

it('a turn is taken after the last one was', async () => {
  const turns = new RoundRobin();
  await turns.next('owner');
  await turns.next('owner');
  await turns.next('other');
});
