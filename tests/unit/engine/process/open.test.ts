import { ServiceError } from '#contract/errors';
import { openEngine } from '#server/engine/process/calls/open';
import type { EngineOptions } from '#server/engine/protocol/messages';

it.each([
  ['with its cause in the log', new Error('IO Error: Corrupt database file'), 1],
  ['by its error alone, where that has no cause', undefined, 0],
])('a store that cannot be opened is reported %s', async (_how, cause, times) => {
  const failure = new ServiceError('backend_unavailable', 'It cannot be opened.', {}, { cause });
  const onProblem = jest.fn();
  const context = { openStore: () => Promise.reject(failure), compiler: {} as never };
  const opened = openEngine(context, {} as EngineOptions, {
    onProblem,
    onRefusedFields: () => undefined,
    onBroken: () => undefined,
  });
  await expect(opened).rejects.toBe(failure);
  expect(onProblem.mock.calls).toEqual(Array(times).fill(['the store cannot be opened', failure]));
});
