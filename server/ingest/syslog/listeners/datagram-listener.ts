/** Listens for datagrams. What has no room is dropped and counted: UDP cannot hold its senders back. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListenerMetrics } from '../listener-metrics';
import type { Intake, SentMessage } from '../events/intake';
import type { QueueMemory } from '../events/store-queue';
import type { IsAllowed } from '../settings/listener';
import { senderOf } from './addresses';
import type { OpenListener } from './open-listener';

export interface DatagramParts {
  readonly host: string;
  readonly port: number;
  readonly isAllowed: IsAllowed;
  /** Memory of datagrams that wait to be read. */
  readonly memory: QueueMemory;
  readonly intake: Intake;
  readonly metrics: ListenerMetrics;
  readonly maxMessageBytes: number;
  readonly nowMs: () => number;
}

/** Asked of the system, which may give less: what arrives while the process is busy. */
const SYSTEM_BUFFER_BYTES = 4 * 1024 * 1024;
/** Objects that hold a datagram. */
const BYTES_PER_DATAGRAM = 256;
/** What the system has of the last datagrams is handed over in this time. */
const LAST_MS = 50;

/** @throws the errors of `bind` */
export async function listenForDatagrams(parts: DatagramParts): Promise<OpenListener> {
  const socket = createSocket({
    type: isIP(parts.host) === 6 ? 'udp6' : 'udp4',
    recvBufferSize: SYSTEM_BUFFER_BYTES,
  });
  socket.on('message', (bytes, from) => receive(parts, bytes, from));
  await bind(socket, parts);
  socket.on('error', () => undefined);
  return {
    port: socket.address().port,
    renewCertificates: () => undefined,
    certificateEndsMs: null,
    stop: async (untilMs) => {
      await sleep(LAST_MS);
      socket.close();
      const restMs = Math.max(0, untilMs - parts.nowMs());
      await Promise.race([parts.intake.finished(), sleep(restMs, undefined, { ref: false })]);
    },
  };
}

function bind(socket: Socket, { host, port }: DatagramParts): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}

function receive(parts: DatagramParts, bytes: Buffer, from: RemoteInfo): void {
  const { memory, metrics, intake } = parts;
  const sender = senderOf(from.address);
  if (!parts.isAllowed(sender)) return metrics.noteLoss('address', 1);
  const cost = bytes.length + BYTES_PER_DATAGRAM;
  if (!memory.add(cost)) return metrics.noteLoss('queue_full', 1);
  intake.add(readDatagram(parts, bytes, sender, cost));
}

function* readDatagram(
  { memory, maxMessageBytes }: DatagramParts,
  bytes: Buffer,
  sender: string,
  cost: number
): Generator<SentMessage, void> {
  const isCut = bytes.length > maxMessageBytes;
  if (bytes.length > 0) yield { bytes: bytes.subarray(0, maxMessageBytes), sender, isCut };
  memory.subtract(cost);
}
