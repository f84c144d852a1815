import { readFileSync } from 'node:fs';
import { errorCode, failedCall, failedPath, toError } from '#server/common/caught-error';

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('an error of the file system names its code, its system call and its path', () => {
  const error = caught(() => readFileSync('/absent/file'));
  expect([errorCode(error), failedCall(error), failedPath(error)]).toEqual(['ENOENT', 'open', '/absent/file']);
});

test('values that are no errors of the system have no code', () => {
  for (const thrown of [new Error('x'), 'ENOENT', null, undefined, { code: 5 }])
    expect(errorCode(thrown)).toBeUndefined();
});

test('the reason of an aborted signal stays the same object', () => {
  const signal = AbortSignal.abort();
  expect(toError(signal.reason)).toBe(signal.reason);
  const own = new Error('stopped');
  expect(toError(AbortSignal.abort(own).reason)).toBe(own);
});

test('a thrown text becomes the message of an error', () => {
  expect(toError('no room').message).toBe('no room');
});
