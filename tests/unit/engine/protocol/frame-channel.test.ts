import { duplexPair } from '../../../support/fakes/duplex-pair';
import { openFrameChannel } from '#server/engine/protocol/frame-channel';
import type { Frame } from '#server/engine/protocol/frames';

test('frames go both ways and keep their order', async () => {
  const [left, right] = duplexPair();
  const seen: unknown[] = [];
  const done = new Promise<void>((resolve) => {
    const answering = openFrameChannel(right, {
      onFrame: ({ header, body }) => void answering.send({ echo: header }, body),
      onClose: () => undefined,
    });
    const asking = openFrameChannel(left, {
      onFrame: ({ header, body }: Frame) => {
        seen.push([header, Buffer.from(body).toString()]);
        if (seen.length === 3) resolve();
      },
      onClose: () => undefined,
    });
    // Never rejects: what arrives is the proof.
    void asking.send(1, Buffer.from('one'));
    void answering.send('own');
    left.write(frameOf(2));
  });
  await done;
  expect(seen).toEqual(
    expect.arrayContaining([
      ['own', ''],
      [{ echo: 1 }, 'one'],
      [{ echo: 2 }, ''],
    ])
  );
});

test('send resolves only when the pipe has taken the bytes', async () => {
  const [left, right] = duplexPair({ highWaterMark: 1024 });
  const channel = openFrameChannel(left, { onFrame: () => undefined, onClose: () => undefined });
  let taken = false;
  const sent = channel.send(1, new Uint8Array(1024 * 1024)).then(() => (taken = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(taken).toBe(false);
  right.resume();
  await sent;
});

test('a closed pipe closes the channel once, and sending to it does not fail', async () => {
  const [left, right] = duplexPair();
  let closes = 0;
  const closed = new Promise<Error | undefined>((resolve) => {
    const channel = openFrameChannel(left, {
      onFrame: () => undefined,
      onClose: (error) => {
        closes += 1;
        void channel.send(1).then(() => resolve(error));
      },
    });
  });
  right.end();
  expect(await closed).toBeUndefined();
  expect(closes).toBe(1);
});

test('invalid bytes close the channel with the reason', async () => {
  const [left, right] = duplexPair();
  const closed = new Promise<Error | undefined>((resolve) => {
    openFrameChannel(left, { onFrame: () => undefined, onClose: resolve });
  });
  right.write(Buffer.alloc(64, 0xff));
  expect((await closed)?.name).toBe('FrameError');
});

function frameOf(header: number): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(text.length, 0);
  return Buffer.concat([prefix, text]);
}
