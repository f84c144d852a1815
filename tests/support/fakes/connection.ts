/** HTTP over a connection that is only memory: real parser, real bytes, no port. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { duplexPair } from './duplex-pair';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; lines of one name joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** As sent. */
  readonly body: Buffer;
  /** The body with its content coding undone. */
  readonly text: string;
  json(): Json;
}

// Answers are looked into freely: a wrong shape fails the expectation.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- parsed JSON, whose shape the tests check
type Json = any;

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** One request on a connection of its own. */
export function send(
  server: Server,
  target: string,
  { method = 'GET', headers = {}, body }: CallOptions = {}
): Promise<RawAnswer> {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const head = headOf(method, target, headers, bytes?.length);
  return sendRaw(server, Buffer.concat([head, bytes ?? Buffer.alloc(0)]));
}

function headOf(method: string, target: string, headers: Readonly<Record<string, string>>, length?: number): Buffer {
  const all = {
    Host: 'test',
    Connection: 'close',
    ...(length === undefined ? {} : { 'Content-Length': String(length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
}

export interface SlowCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Runs when the first bytes of the body have been sent, and before the rest. */
  readonly between: () => Promise<void>;
}

/** The POST that `send` sends, byte by byte, whose body arrives in two parts. */
export async function sendInTwoParts(
  server: Server,
  target: string,
  { headers, body, between }: SlowCall
): Promise<RawAnswer> {
  const bytes = Buffer.from(body);
  const connection = connect(server);
  const received: Buffer[] = [];
  connection.on('data', (part: Buffer) => received.push(part));
  const ended = new Promise((resolve) => connection.once('end', resolve));
  connection.write(Buffer.concat([headOf('POST', target, headers, bytes.length), bytes.subarray(0, 3)]));
  await between();
  connection.write(bytes.subarray(3));
  await ended;
  return parseAnswer(Buffer.concat(received));
}

/** Bytes as they are. The answer ends with the connection, or with its announced length. */
export async function sendRaw(server: Server, request: Uint8Array): Promise<RawAnswer> {
  return parseAnswer(await exchange(server, request));
}

/** All bytes that come back until the server closes the connection or has sent one whole answer. */
export function exchange(server: Server, request: Uint8Array): Promise<Buffer> {
  const connection = connect(server);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    connection.on('data', (chunk: Buffer) => {
      received.push(chunk);
      if (isWhole(Buffer.concat(received), request)) connection.end();
    });
    connection.on('error', reject);
    connection.on('end', () => connection.destroy());
    connection.on('close', () => resolve(Buffer.concat(received)));
    connection.write(request);
  });
}

/** The client's end of a new connection. */
export function connect(server: Server): Duplex {
  const [client, remote] = duplexPair();
  // A server that cuts the connection leaves what it has written readable.
  remote.once('close', () => setImmediate(() => client.destroyed || client.push(null)));
  // What the server needs of a socket beside a stream.
  const destroySoon = (): void => void remote.end(() => remote.destroy());
  server.emit('connection', Object.assign(remote, { setTimeout: () => remote, destroySoon }));
  return client;
}

export function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`no answer: ${JSON.stringify(bytes.toString('latin1'))}`);
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  if (status === 100) return parseAnswer(bytes.subarray(end + 4));
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const body = bytes.subarray(end + 4);
  const text = decode(body, headers['content-encoding']).toString('utf8');
  return { status, headers, body, text, json: () => JSON.parse(text) };
}

function decode(body: Buffer, coding: string | undefined): Buffer {
  if (body.length === 0) return body;
  if (coding === 'gzip') return gunzipSync(body);
  return coding === 'br' ? brotliDecompressSync(body) : body;
}

function isWhole(bytes: Buffer, request: Uint8Array): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (bytes.toString('latin1', 9, 12) === '100') return isWhole(bytes.subarray(end + 4), request);
  if (Buffer.from(request.subarray(0, 5)).toString() === 'HEAD ') return true;
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  return length !== undefined && bytes.length >= end + 4 + Number(length);
}
