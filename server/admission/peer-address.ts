/** Client address for rate limits: an IPv4 address, or the IPv6 network of one subscriber. */
import type { Socket } from 'node:net';

/**
 * IPv4 addresses are kept whole, IPv6 addresses cut to 64 bits: a subscriber controls all addresses below that prefix.
 */
export function peerOf(socket: Pick<Socket, 'remoteAddress'>): string {
  const address = socket.remoteAddress ?? 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  return address.includes(':') ? networkOf(address) : address;
}

function networkOf(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
