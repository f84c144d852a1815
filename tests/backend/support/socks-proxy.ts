/**
 * A SOCKS5 proxy (RFC 1928, login by RFC 1929) as Grafana's administrators run one: behind TLS that asks for a client
 * certificate, or plain.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { AUTHORITY, certificate } from './certificates';

export interface SocksProxyStub {
  readonly address: string;
  /** `user:password > host:port` of each connection that was asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** @param refuses every destination, as a proxy does that may not go there */
export async function startSocksProxy(
  options: { readonly isPlain?: boolean; readonly refuses?: boolean } = {}
): Promise<SocksProxyStub> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    talk(socket, asked, options.refuses ?? false).catch(() => socket.destroy());
  };
  const server: Server = options.isPlain
    ? createTcpServer(serve)
    : createTlsServer({ ...certificate('server'), ca: AUTHORITY, requestCert: true, rejectUnauthorized: true }, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function talk(socket: Socket, asked: string[], refuses: boolean): Promise<void> {
  const [, methods = 0] = await take(socket, 2);
  const offered = await take(socket, methods);
  const takesLogin = offered.includes(2);
  socket.write(Buffer.from([5, takesLogin ? 2 : 0]));
  const login = takesLogin ? await readLogin(socket) : '';
  const [, , , kind] = await take(socket, 4);
  const host = kind === 1 ? [...(await take(socket, 4))].join('.') : await readText(socket);
  const port = (await take(socket, 2)).readUInt16BE();
  asked.push(`${login} > ${host}:${port}`);
  const NOT_ALLOWED = 2;
  const reply = (code: number) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
  if (refuses) return void socket.end(reply(NOT_ALLOWED));
  const target = connect(port, host, () => {
    socket.write(reply(0));
    socket.pipe(target).pipe(socket);
  }).on('error', () => socket.destroy());
}

async function readLogin(socket: Socket): Promise<string> {
  await take(socket, 1);
  const login = `${await readText(socket)}:${await readText(socket)}`;
  socket.write(Buffer.from([1, 0]));
  return login;
}

async function readText(socket: Socket): Promise<string> {
  const [length = 0] = await take(socket, 1);
  return length === 0 ? '' : (await take(socket, length)).toString();
}

async function take(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes) return bytes;
    await once(socket, 'readable');
  }
}
