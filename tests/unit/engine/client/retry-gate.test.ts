import { createRetryGate } from '#server/engine/client/retry-gate';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

test('retried batches run one at a time, and new batches wait for them', async () => {
  const gate = createRetryGate();
  const order: string[] = [];
  const first = gate.enterBatch().then((leave) => (order.push('first'), leave));
  const second = gate.enterBatch().then((leave) => (order.push('second'), leave));
  const others = gate.settled().then(() => order.push('others'));
  await turns();
  expect([order, gate.isSettled]).toEqual([['first'], false]);
  const leaveFirst = await first;
  leaveFirst();
  leaveFirst();
  await turns();
  expect(order).toEqual(['first', 'second']);
  (await second)();
  await others;
  expect(gate.isSettled).toBe(true);
  await gate.settled();
});

test('retried texts run one at a time and delay no other calls', async () => {
  const gate = createRetryGate();
  const leave = await gate.enterText();
  let isIn = false;
  const second = gate.enterText().then((leaveSecond) => ((isIn = true), leaveSecond));
  await gate.settled();
  (await gate.enterBatch())();
  expect([isIn, gate.isSettled]).toEqual([false, true]);
  leave();
  (await second)();
  expect(isIn).toBe(true);
});
