/**
 * Decodes snappy in its block format, in turns and into a buffer of the announced length. Nothing is allocated before
 * the announced length was compared with what the bytes can hold.
 * @see https://github.com/google/snappy/blob/main/format_description.txt
 */
import { ServiceError } from '#contract/errors';

/** The longest copy has 64 bytes, and the shortest form of one that long takes three. */
const MAX_EXPANSION = 64 / 3;
/** Elements and copied bytes of a turn. */
const TURN_WORK = 256 * 1024;
/** Shorter copies are faster byte by byte. */
const MIN_BLOCK_COPY = 32;

export interface SnappyHead {
  /** Announced length of the text. */
  readonly length: number;
  /** Offset of the first element. */
  readonly start: number;
}

/** @throws ServiceError `body_invalid`, for an announced length that the bytes cannot hold too */
export function readSnappyHead(bytes: Buffer): SnappyHead {
  let length = 0;
  for (let at = 0, factor = 1; at < 5; at++, factor *= 128) {
    const byte = bytes[at];
    if (byte === undefined) throw invalid(bytes, 'it has no length');
    length += (byte & 0x7f) * factor;
    if (byte >= 0x80) continue;
    const start = at + 1;
    if (length > (bytes.length - start) * MAX_EXPANSION) throw invalid(bytes, 'it announces more than it can hold');
    return { length, start };
  }
  throw invalid(bytes, 'its length does not end');
}

/** Null is a turn for other work. @throws ServiceError `body_invalid` */
export function* decodeSnappy(bytes: Buffer, { length, start }: SnappyHead): Generator<null, Buffer> {
  const output = Buffer.allocUnsafeSlow(length);
  let at = start;
  let written = 0;
  let work = 0;
  while (at < bytes.length) {
    const tag = bytes[at]!;
    const kind = tag & 3;
    const headBytes = kind === 0 ? literalHead(tag) : COPY_HEADS[kind]!;
    if (at + headBytes > bytes.length) throw invalid(bytes, 'an element ends early');
    const size = sizeOf(bytes, at, headBytes);
    if (size > length - written) throw invalid(bytes, 'it holds more than it announces');
    if (kind === 0) {
      if (size > bytes.length - at - headBytes) throw invalid(bytes, 'a literal ends early');
      bytes.copy(output, written, at + headBytes, at + headBytes + size);
      at += headBytes + size;
    } else {
      const distance = distanceOf(bytes, at, kind);
      if (distance === 0 || distance > written) throw invalid(bytes, 'a copy begins before the text');
      copyWithin(output, written, distance, size);
      at += headBytes;
    }
    written += size;
    work += size + 1;
    if (work < TURN_WORK) continue;
    work = 0;
    yield null;
  }
  // The rest of the buffer holds old memory.
  if (written !== length) throw invalid(bytes, 'it holds less than it announces');
  return output;
}

/** Bytes before the text of a literal. */
function literalHead(tag: number): number {
  const size = tag >> 2;
  return size < 60 ? 1 : size - 58;
}

/** Bytes of copies by their kind. */
const COPY_HEADS = [0, 2, 3, 5];

function sizeOf(bytes: Buffer, at: number, headBytes: number): number {
  const tag = bytes[at]!;
  const size = tag >> 2;
  if ((tag & 3) === 1) return (size & 7) + 4;
  return (tag & 3) !== 0 || size < 60 ? size + 1 : bytes.readUIntLE(at + 1, headBytes - 1) + 1;
}

function distanceOf(bytes: Buffer, at: number, kind: number): number {
  if (kind === 1) return ((bytes[at]! >> 5) << 8) | bytes[at + 1]!;
  return kind === 2 ? bytes.readUInt16LE(at + 1) : bytes.readUInt32LE(at + 1);
}

/** A copy may reach into itself: then it repeats what it has written. */
function copyWithin(output: Buffer, written: number, distance: number, size: number): void {
  if (distance >= size && size >= MIN_BLOCK_COPY) {
    output.copyWithin(written, written - distance, written - distance + size);
    return;
  }
  for (let i = written; i < written + size; i++) output[i] = output[i - distance]!;
}

const FRAMED_START = Buffer.from('ff060000734e61507059', 'hex');

function invalid(bytes: Buffer, what: string): ServiceError {
  const isFramed = bytes.subarray(0, FRAMED_START.length).equals(FRAMED_START);
  return new ServiceError('body_invalid', `The request body is not snappy: ${what}.`, {
    reason: 'bad_snappy',
    hint: isFramed
      ? 'use the block format, not the framed one'
      : 'protobuf is compressed with snappy in its block format',
  });
}
