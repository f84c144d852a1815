/** Answers a method that a path does not have: OPTIONS with the methods that it has, any other with 405. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import { sendEmpty } from './send-body';

/**
 * @param allowed the methods of the path, as in the header Allow
 * @throws ServiceError `method_not_allowed`
 */
export function answerOtherMethod(req: IncomingMessage, res: ServerResponse, allowed: string): void {
  res.setHeader('Allow', allowed);
  if (req.method === 'OPTIONS') {
    sendEmpty(res, 204);
    return;
  }
  throw new ServiceError('method_not_allowed', `The method ${req.method} is not allowed here.`, {
    allowed: allowed.split(', '),
  });
}
