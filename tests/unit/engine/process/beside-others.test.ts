import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import { besideOthers } from '#server/engine/process/beside-others';

const outOfMemory = (): ServiceError =>
  new ServiceError('resource_limit', 'the query needs more memory than it may use', { reason: 'memory' });

/** Fails `failures` times, each after `afterMs`, then succeeds. */
function attempts(failures: number, error: () => Error, afterMs = 0) {
  let count = 0;
  const attempt = async (): Promise<string> => {
    count += 1;
    await sleep(afterMs);
    if (count <= failures) throw error();
    return 'rows';
  };
  return { attempt, count: () => count };
}

const { signal: never } = new AbortController();

test('a run that finds no memory beside others is tried again until it does', async () => {
  const run = attempts(3, outOfMemory);
  await expect(besideOthers(run.attempt, () => 2, never)).resolves.toBe('rows');
  expect(run.count()).toBe(4);
});

test('after some attempts the failure stays', async () => {
  const run = attempts(100, outOfMemory);
  await expect(besideOthers(run.attempt, () => 3, never)).rejects.toMatchObject({ code: 'resource_limit' });
  expect(run.count()).toBe(5);
});

test.each([
  ['runs alone', attempts(1, outOfMemory), 1],
  ['has run for a while', attempts(1, outOfMemory, 250), 2],
  ['fails for another reason', attempts(1, () => new ServiceError('resource_limit', 'too many rows')), 2],
])('a run that %s fails at once', async (_what, run, running) => {
  await expect(besideOthers(run.attempt, () => running, never)).rejects.toMatchObject({ code: 'resource_limit' });
  expect(run.count()).toBe(1);
});

test('a caller who leaves ends the pause', async () => {
  const controller = new AbortController();
  const run = attempts(100, outOfMemory);
  const running = besideOthers(run.attempt, () => 2, controller.signal);
  setTimeout(() => controller.abort(new Error('left')), 60);
  await expect(running).rejects.toThrow('left');
});
