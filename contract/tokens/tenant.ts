/** Tenants, to which tokens and events belong. */
import { z } from 'zod';

export const MAX_TENANT_BYTES = 255;

/** Whether the text is a valid tenant name: not empty, no control characters, at most 255 bytes of UTF-8. */
export function isTenant(text: string): boolean {
  return text !== '' && !/[\p{Cc}\p{Surrogate}]/u.test(text) && Buffer.byteLength(text) <= MAX_TENANT_BYTES;
}

export const tenantSchema = z
  .string()
  .refine(isTenant, `must be 1 to ${MAX_TENANT_BYTES} bytes of text without control characters`);
