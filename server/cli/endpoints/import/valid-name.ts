/** Names of the older service and of files, made valid: those may have spaces, capitals and any letter. */
import { ENDPOINT_NAME_PATTERN, UUID_PATTERN } from '#contract/queries/saved-query';
import { RESERVED_NAMES } from '../../../catalog/saved-queries/rules';

const MAX_LENGTH = 128;
const PREFIX = 'q_';

/** @returns the name itself when it is valid; null when nothing of it can be kept */
export function toValidName(name: string): string | null {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_');
  if (!/[a-z0-9]/.test(plain)) return null;
  const isFree = /^[a-z]/.test(plain) && !RESERVED_NAMES.includes(plain) && !UUID_PATTERN.test(plain);
  const valid = (isFree ? plain : PREFIX + plain).slice(0, MAX_LENGTH);
  return ENDPOINT_NAME_PATTERN.test(valid) ? valid : null;
}
