import type { Request, RequestHandler, Response } from 'express';
import { inOrder } from '#server/http/middleware/in-order';

function run(...handlers: RequestHandler[]): Promise<unknown> {
  return new Promise((resolve) => void inOrder(...handlers)({} as Request, {} as Response, resolve));
}

const passes: RequestHandler = (_req, _res, next) => next();
const failure = new Error('the handler fails');

test('handlers run one after the other, and the last one hands over', async () => {
  expect(await run(passes, passes)).toBeUndefined();
});

test.each<[string, RequestHandler]>([
  ['passes on an error', (_req, _res, next) => next(failure)],
  ['rejects', () => Promise.reject(failure)],
])('a handler that %s stops the others and hands the error over', async (_what, fails) => {
  const later = jest.fn();
  expect(await run(passes, fails, later)).toBe(failure);
  expect(later).not.toHaveBeenCalled();
});
