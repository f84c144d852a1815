/** Reads request headers. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';

/**
 * @returns the value, or undefined when the header is absent. @throws ServiceError `header_invalid` when it is given
 * twice.
 */
export function singleHeader(req: IncomingMessage, name: string): string | undefined {
  const values = req.headersDistinct[name.toLowerCase()];
  if (values === undefined) return undefined;
  if (values.length > 1)
    throw new ServiceError('header_invalid', `The header ${name} is given twice.`, { header: name });
  return values[0];
}

/** Reads `true` or `false` in any letter case; an absent header is false. @throws ServiceError `header_invalid` */
export function switchHeader(req: IncomingMessage, name: string): boolean {
  const value = singleHeader(req, name)?.trim().toLowerCase();
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw new ServiceError('header_invalid', `The header ${name} must be "true" or "false".`, {
    header: name,
    allowed: ['true', 'false'],
  });
}

/** Joins all lines of a list header. */
export function listHeader(req: IncomingMessage, name: string): string | undefined {
  return req.headersDistinct[name.toLowerCase()]?.join(', ');
}
