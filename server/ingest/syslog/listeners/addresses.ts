/** Addresses of senders. */

/** An IPv4 address of a socket that takes both families is written as such. */
export function senderOf(address: string | undefined): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address ?? '');
  return mapped?.[1] ?? (address ?? '').replace(/%.*$/, '');
}
