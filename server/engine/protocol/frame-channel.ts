/** Frames over one end of a pipe, in both directions. */
import type { Duplex } from 'node:stream';
import { encodeFrameHead, type Frame, FrameReader } from './frames';
import { toError } from '../../common/caught-error';

export interface FrameChannel {
  /**
   * Sends one frame. @returns a promise that resolves when the pipe has taken all of it, or has closed: wait for it
   * before creating the next large body, so that a slow reader slows down the writer.
   */
  send(header: unknown, body?: Uint8Array): Promise<void>;
  close(): void;
}

export interface FrameChannelEvents {
  readonly onFrame: (frame: Frame) => void;
  /** Called once, when no more frames will come. The error is set when the other end sent invalid bytes. */
  onClose(error?: Error): void;
}

export function openFrameChannel(pipe: Duplex, events: FrameChannelEvents): FrameChannel {
  const reader = new FrameReader(events.onFrame);
  let failure: Error | undefined;

  pipe.on('data', (chunk: Buffer) => {
    try {
      reader.push(chunk);
    } catch (error) {
      failure = toError(error);
      pipe.destroy();
    }
  });
  // A pipe that fails ends in `close`, too; the reason (EPIPE, ECONNRESET) adds nothing to the exit of the other
  // process.
  pipe.on('error', () => pipe.destroy());
  pipe.once('end', () => pipe.destroy());
  pipe.once('close', () => events.onClose(failure));

  return {
    send(header, body) {
      if (pipe.destroyed) return Promise.resolve();
      const head = encodeFrameHead(header, body?.length ?? 0);
      return new Promise((resolve) => {
        const done = (): void => resolve();
        if (!body?.length) {
          pipe.write(head, done);
          return;
        }
        pipe.cork();
        pipe.write(head);
        pipe.write(body, done);
        pipe.uncork();
      });
    },
    close: () => pipe.destroy(),
  };
}
