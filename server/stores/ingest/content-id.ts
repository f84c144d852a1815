/** Ids for events that bring none, made from what the event says, so that a retried batch makes no double. */
import { createHash } from 'node:crypto';

/** @param parts in a fixed order; null is told apart from the empty text. */
export function contentId(parts: readonly (string | Uint8Array | null)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    if (part === null) hash.update('\0-');
    else hash.update('\0+').update(part);
  }
  return asUuid(hash.digest('hex'));
}

/** The first 122 bits in the form of a UUID of version 8 (RFC 9562: "custom"). */
function asUuid(hex: string): string {
  const variant = ((parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
