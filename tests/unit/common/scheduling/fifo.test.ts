import { Fifo } from '#server/common/scheduling/fifo';

it('a queue gives its items in their order, also when some are added between', () => {
  const queue = new Fifo<number>();
  const given: (number | undefined)[] = [queue.shift()];
  for (let round = 0; round < 5; round++) {
    for (let item = 0; item < 4; item++) queue.push(4 * round + item);
    for (let count = 0; count < 3; count++) given.push(queue.shift());
  }
  for (let count = 0; count < 6; count++) given.push(queue.shift());
  expect(given).toEqual([undefined, ...Array.from({ length: 20 }, (_, n) => n), undefined]);
});
