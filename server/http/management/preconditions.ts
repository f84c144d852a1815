/** Reads the precondition of a change [RFC 9110 section 13.1]. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { Precondition } from '../../catalog/revisions/precondition';
import { listHeader } from '../parsing/header-values';

/** The entity tag of a revision, or the weak tag of a description, which starts with its revision. */
const TAG = /^\s*(?:W\/)?"(\d{1,9})(?:-[0-9a-f]+)?"\s*$/;

/** @throws ServiceError `precondition_required`, `header_invalid` */
export function readPrecondition(req: IncomingMessage, allowsCreation = false): Precondition {
  const expected = readOptionalPrecondition(req, allowsCreation);
  if (expected) return expected;
  throw new ServiceError(
    'precondition_required',
    allowsCreation
      ? 'Send If-Match with the revision that you have read, or If-None-Match: * to create a new one.'
      : 'Send If-Match with the revision that you have read.',
    { hint: 'the revision is in the ETag of GET; If-Match: * changes any revision' }
  );
}

/** @returns null without a precondition. @throws ServiceError `header_invalid` */
export function readOptionalPrecondition(req: IncomingMessage, allowsCreation = false): Precondition | null {
  const match = listHeader(req, 'if-match');
  const noneMatch = allowsCreation ? listHeader(req, 'if-none-match') : undefined;
  if (match !== undefined && noneMatch !== undefined) throw invalid('If-None-Match', 'is sent together with If-Match');
  if (noneMatch !== undefined) {
    if (noneMatch.trim() === '*') return { kind: 'absent' };
    throw invalid('If-None-Match', 'must be *');
  }
  if (match === undefined) return null;
  if (match.trim() === '*') return { kind: 'match', revisions: 'any' };
  const revisions = match.split(',').map((tag) => TAG.exec(tag)?.[1]);
  if (revisions.includes(undefined))
    throw invalid('If-Match', 'must be * or the quoted number of a revision, like "3"');
  return { kind: 'match', revisions: revisions.map(Number) };
}

function invalid(header: string, reason: string): ServiceError {
  return new ServiceError('header_invalid', `The header ${header} ${reason}.`, { header });
}
