/** Reads the header `Idempotency-Key` [draft-ietf-httpapi-idempotency-key-header]. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { singleHeader } from './header-values';

/** Visible ASCII characters, with or without double quotes. */
const KEY_PATTERN = /^("?)[\x21\x23-\x7e]{1,255}\1$/;

/** @returns null without the header. @throws ServiceError `header_invalid` */
export function readIdempotencyKey(req: IncomingMessage): string | null {
  const key = singleHeader(req, 'Idempotency-Key');
  if (key === undefined) return null;
  if (KEY_PATTERN.test(key)) return key.replaceAll('"', '');
  throw new ServiceError(
    'header_invalid',
    'The header "Idempotency-Key" must have 1 to 255 visible ASCII characters, with double quotes around them or none.',
    { header: 'Idempotency-Key' }
  );
}
