/** Parameters of routes that answer page by page. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { pickOnce, queryOf } from '../parsing/query-string';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

export interface Page {
  readonly limit: number;
  /** `next_cursor` of the page before; null: the first page. */
  readonly cursor: string | null;
}

/** @throws ServiceError `parameter_invalid`, `parameter_duplicate` */
export function readPage(req: IncomingMessage, cursorPattern: RegExp): Page {
  const given = pickOnce(queryOf(req), ['limit', 'cursor']);
  const limit = given.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT)
    throw new ServiceError(
      'parameter_invalid',
      `The parameter "limit" must be a whole number from 1 to ${MAX_LIMIT}.`,
      { parameter: 'limit' }
    );
  const cursor = given.get('cursor') ?? null;
  if (cursor !== null && !cursorPattern.test(cursor)) throw cursorInvalid();
  return { limit: Number(limit), cursor };
}

export function cursorInvalid(): ServiceError {
  return new ServiceError('parameter_invalid', 'The parameter "cursor" is not one that this service gave out.', {
    parameter: 'cursor',
  });
}
