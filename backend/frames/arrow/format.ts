/**
 * Parts of Arrow's IPC format that the reader and the writer share: numbers of its unions, from Arrow's `Schema.fbs`
 * and `Message.fbs`, and how messages begin and are aligned.
 */

export const HEADER = { schema: 1, recordBatch: 3 } as const;

export const TYPE = { int: 2, float: 3, binary: 4, utf8: 5, bool: 6, timestamp: 10 } as const;

export const DOUBLE = 2;
export const METADATA_V5 = 4;

/** Before each message: this mark, then the length of its metadata. */
export const CONTINUATION = -1;
export const PREFIX_BYTES = 8;

/** Buffers and metadata begin at multiples of it. */
const ALIGNMENT = 8;

export function aligned(bytes: number): number {
  return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
}

export const NO_BYTES = new Uint8Array(0);
