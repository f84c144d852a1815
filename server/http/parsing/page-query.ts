/** The parameters of a route that answers page by page. */
import { ServiceError } from '#contract/errors';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** @throws ServiceError `parameter_invalid` */
export function readLimit(given: ReadonlyMap<string, string>): number {
  const limit = given.get('limit') ?? String(DEFAULT_LIMIT);
  if (/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MAX_LIMIT) return Number(limit);
  throw new ServiceError('parameter_invalid', `The parameter "limit" must be a whole number from 1 to ${MAX_LIMIT}.`, {
    parameter: 'limit',
  });
}

export function writeCursor(place: string): string {
  return Buffer.from(place).toString('base64url');
}

/** @returns null for the first page. @throws ServiceError `parameter_invalid` */
export function readCursor(given: ReadonlyMap<string, string>): string | null {
  const cursor = given.get('cursor');
  return cursor === undefined ? null : readCursorText(cursor);
}

/** @throws ServiceError `parameter_invalid` */
export function readCursorText(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString('utf8');
  if (place === '' || writeCursor(place) !== cursor) throw cursorInvalid();
  return place;
}

export function cursorInvalid(): ServiceError {
  return new ServiceError('parameter_invalid', 'The parameter "cursor" is not one that this service gave out.', {
    parameter: 'cursor',
  });
}
