/**
 * Compressed bodies: all of their members and frames are inflated, and anything else is refused. zstd needs a newer
 * Node: see tests/integration/app/newer-node.test.ts.
 */
import zlib from 'node:zlib';
import { inflate } from '#server/http/bodies/inflate';

type Compress = (bytes: Uint8Array) => Buffer;

const { zstdCompressSync } = zlib as { zstdCompressSync?: Compress };
const CODINGS: readonly (readonly [string, Compress])[] = [
  ['gzip', zlib.gzipSync],
  ...(zstdCompressSync ? [['zstd', zstdCompressSync] as const] : []),
];
const LONG = Buffer.from(Array.from({ length: 40_000 }, (_, n) => String(n * n)).join());

const inflated = async (coding: string, ...parts: readonly Uint8Array[]): Promise<string> =>
  String(await inflate(coding, Buffer.concat(parts), () => undefined));

describe.each(CODINGS)('a body of %s', (coding, compress) => {
  const [first, second, empty] = ['{"n":1}\n', '{"n":2}\n', ''].map((text) => compress(Buffer.from(text)));

  it.each([
    ['one member', [first], '{"n":1}\n'],
    ['several members', [first, empty, second, compress(LONG), first], `{"n":1}\n{"n":2}\n${String(LONG)}{"n":1}\n`],
    ['a first member without bytes', [empty, second], '{"n":2}\n'],
  ])('with %s is read to its end', async (_name, parts, text) => {
    expect(await inflated(coding, ...(parts as Buffer[]))).toBe(text);
  });

  it.each([
    ['its end cut off', [first!.subarray(0, -2)]],
    ['the end of its second member cut off', [first!, second!.subarray(0, -2)]],
    ['other bytes behind a member', [first!, Buffer.from('{"n":2}\n')]],
    ['a member behind zeros', [first!, Buffer.alloc(70_000), second!]],
    ['no member', [Buffer.from('{"n":1}\n')]],
  ])('with %s is refused', async (_name, parts) => {
    await expect(inflated(coding, ...parts)).rejects.toMatchObject({ code: 'body_invalid' });
  });

  it('is refused at the first chunk beyond the limit of any member', async () => {
    let count = 0;
    const limited = inflate(coding, Buffer.concat([first!, compress(LONG), second!]), (bytes) => {
      count += bytes;
      if (count > 1000) throw new Error('too large');
    });
    await expect(limited).rejects.toThrow('too large');
    expect(count).toBeLessThan(100_000);
  });
});

it('a body of gzip may end with zeros', async () => {
  expect(await inflated('gzip', zlib.gzipSync('{}'), Buffer.alloc(70_000))).toBe('{}');
});
