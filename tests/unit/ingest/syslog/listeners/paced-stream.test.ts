import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PacedStream } from '#server/ingest/syslog/listeners/paced-stream';

const LARGE = Buffer.alloc(300_000, 'message ');
const PIECE_BYTES = 16 * 1024;

let stream: PacedStream;
let client: Socket;
let turns: number;
let running: number;

/** Connects a client that sends this and ends. */
async function send(bytes: Buffer): Promise<void> {
  turns = 0;
  running = 0;
  // As the listener's: its side ends with that of the client.
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  server.close();
  const takeTurn = (work: () => void): void => {
    turns += 1;
    setTimeout(work, 1);
  };
  stream = new PacedStream(socket, takeTurn, (work) => {
    running += 1;
    try {
      return work();
    } finally {
      running -= 1;
    }
  });
  client.end(bytes);
}

afterEach(() => {
  stream.destroy();
  client.destroy();
});

it('bytes are passed in small pieces, each but the first in a turn', async () => {
  await send(LARGE);
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => {
    expect(running).toBe(1);
    pieces.push(piece);
  });
  await once(stream, 'end');
  expect(Buffer.concat(pieces).equals(LARGE)).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(PIECE_BYTES);
  expect(turns).toBe(pieces.length - 1);
});

it('bytes of a sender that has left are passed when there is room for them', async () => {
  await send(LARGE);
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => {
    pieces.push(piece);
    stream.pause();
    setTimeout(() => stream.resume(), 2);
  });
  await once(stream, 'end');
  expect(Buffer.concat(pieces).equals(LARGE)).toBe(true);
});

it('a stream that is closed closes its connection', async () => {
  await send(LARGE);
  const closed = once(stream.socket, 'close');
  stream.destroy();
  await closed;
  expect(stream.socket.destroyed).toBe(true);
});
