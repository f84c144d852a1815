/**
 * Bytes of the newest responses. A response with the bytes of the one before gets the same object, so that what was
 * made of it can be used again (`rememberLast`). Every response is compared whole: nothing is assumed about a key.
 */
export interface RecentBytes {
  /** @param key of equal requests */
  unify(key: string, bytes: Uint8Array): Uint8Array;
}

/** What is made of the bytes takes up to three times as much memory. */
const MAX_BYTES = 8 * 1024 * 1024;
/** About 1,000 log lines. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;

export function createRecentBytes(maxBytes = MAX_BYTES, maxResponseBytes = MAX_RESPONSE_BYTES): RecentBytes {
  // In order of their use, oldest first.
  const recent = new Map<string, Uint8Array>();
  let total = 0;

  function forget(key: string, bytes: Uint8Array): void {
    recent.delete(key);
    total -= sizeOf(key, bytes);
  }

  return {
    unify: (key, bytes) => {
      const known = recent.get(key);
      if (known) forget(key, known);
      const kept = known && Buffer.compare(known, bytes) === 0 ? known : bytes;
      if (sizeOf(key, kept) > maxResponseBytes) return kept;
      recent.set(key, kept);
      total += sizeOf(key, kept);
      for (const [oldest, old] of recent) {
        if (total <= maxBytes) break;
        forget(oldest, old);
      }
      return kept;
    },
  };
}

/** The memory of a response may have more than its bytes. */
function sizeOf(key: string, { buffer }: Uint8Array): number {
  return 2 * key.length + buffer.byteLength;
}
