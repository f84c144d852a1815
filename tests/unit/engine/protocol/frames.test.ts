import fc from 'fast-check';
import {
  encodeFrameHead,
  type Frame,
  FrameError,
  FrameReader,
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
} from '#server/engine/protocol/frames';
import { LINEAR_MS, processorMs } from '../../../support/jest/processor-time';

function bytesOf(frames: readonly Frame[]): Buffer {
  return Buffer.concat(frames.flatMap(({ header, body }) => [encodeFrameHead(header, body.length), body]));
}

function read(chunks: Iterable<Uint8Array>): { frames: Frame[]; reader: FrameReader } {
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => frames.push(frame));
  for (const chunk of chunks) reader.push(chunk);
  return { frames, reader };
}

function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const frame = fc.record({ header: fc.jsonValue(), body: fc.uint8Array({ maxLength: 300 }) });

test('frames are read as they were written, however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1 }),
      (sent, sizes) => {
        const { frames, reader } = read(cut(bytesOf(sent), sizes));
        const comparable = (list: readonly Frame[]) =>
          list.map(({ header, body }) => [JSON.stringify(header), Buffer.from(body).toString('hex')]);
        expect(comparable(frames)).toEqual(comparable(sent));
        expect(reader.isIdle()).toBe(true);
      }
    )
  );
});

test('the caller may reuse the buffer of a chunk after each push', () => {
  const bytes = bytesOf([{ header: { id: 1 }, body: Buffer.from('body') }]);
  const shared = Buffer.alloc(3);
  const { frames } = read(
    (function* () {
      for (const chunk of cut(bytes, [3])) {
        shared.set(chunk);
        yield shared.subarray(0, chunk.length);
      }
    })()
  );
  expect(frames.map(({ header, body }) => [header, Buffer.from(body).toString()])).toEqual([[{ id: 1 }, 'body']]);
});

test('a reader with half a frame is not idle', () => {
  const { frames, reader } = read([bytesOf([{ header: 1, body: new Uint8Array(9) }]).subarray(0, 12)]);
  expect(frames).toEqual([]);
  expect(reader.isIdle()).toBe(false);
});

test('four megabytes in chunks of one kilobyte take time in proportion to their length', () => {
  const bytes = bytesOf([{ header: 1, body: new Uint8Array(4 * 1024 * 1024) }]);
  const chunks = cut(bytes, [1024]);
  const { frames } = read(chunks);
  expect(frames[0]?.body.length).toBe(4 * 1024 * 1024);
  // A copy per chunk of all that came before would take 8 GB of copying.
  expect(processorMs(() => read(chunks), LINEAR_MS)).toBeLessThan(LINEAR_MS);
});

describe('invalid bytes are refused before any memory is allocated for them', () => {
  const prefix = (header: number, body: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(header, 0);
    bytes.writeUInt32LE(body, 4);
    return bytes;
  };

  test.each([
    ['a header over its limit', prefix(MAX_HEADER_BYTES + 1, 0)],
    ['a body over its limit', prefix(2, MAX_BODY_BYTES + 1)],
    ['no header', prefix(0, 4)],
    ['a header that is not JSON', Buffer.concat([prefix(2, 0), Buffer.from('{{')])],
  ])('%s', (_, bytes) => {
    expect(() => read([bytes])).toThrow(FrameError);
  });

  test('a frame that is too large is not written either', () => {
    expect(() => encodeFrameHead({}, MAX_BODY_BYTES + 1)).toThrow(FrameError);
  });
});
