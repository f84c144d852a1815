import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/queries/query';
import { createRefusals, fingerprintOf } from '#server/engine/client/blame/refusals';

const error = new ServiceError('resource_limit', 'The run passed its memory limit.', { reason: 'memory' });

function failure(act: () => void): ServiceError | null {
  try {
    act();
    return null;
  } catch (thrown) {
    return thrown as ServiceError;
  }
}

test('a refused request gets the same error again, with the time until it may be retried', () => {
  let now = 0;
  const refusals = createRefusals(60_000, () => now);
  refusals.add('a', error);
  now = 1500;
  expect(failure(() => refusals.ensureAllowed('a'))?.toBody()).toEqual({
    code: 'resource_limit',
    message: 'The run passed its memory limit. It is refused for a while.',
    details: { reason: 'memory', retry_after_seconds: 59 },
  });
  expect(failure(() => refusals.ensureAllowed('b'))).toBeNull();
  now = 60_000;
  expect(failure(() => refusals.ensureAllowed('a'))).toBeNull();
});

test('the memory for refusals is bounded, and the oldest are evicted first', () => {
  const refusals = createRefusals(60_000, () => 0);
  for (let index = 0; index <= 1000; index += 1) refusals.add(String(index), error);
  expect(failure(() => refusals.ensureAllowed('0'))).toBeNull();
  expect(failure(() => refusals.ensureAllowed('1'))).not.toBeNull();
});

test('a refusal of ad-hoc text ignores its parameters; one of a saved query depends on them', () => {
  const request = (endpointId: string, text: string | null, project: string): QueryRequest =>
    ({ endpointId, adhoc: text === null ? null : { language: 'sql', text }, parameters: { project } }) as never;
  const print = (...facts: Parameters<typeof request>): string => fingerprintOf(request(...facts));
  expect(print('e', 'select 1', 'a')).toBe(print('e', 'select 1', 'b'));
  expect(print('e', 'select 1', 'a')).not.toBe(print('e', 'select 2', 'a'));
  expect(print('e', 'select 1', 'a')).not.toBe(print('f', 'select 1', 'a'));
  expect(print('e', null, 'a')).not.toBe(print('e', null, 'b'));
});

test.each(['select 1', null])('a refusal for one tenant does not refuse the same request of another: %s', (text) => {
  const adhoc = text === null ? null : { language: 'sql', text };
  const of = (tenant: string | null): string =>
    fingerprintOf({ endpointId: 'e', tenant, adhoc, parameters: { interval: 'daily' } } as never);
  expect(new Set([of('acme'), of('victim'), of(null)]).size).toBe(3);
  expect(of('acme')).toBe(of('acme'));
});
