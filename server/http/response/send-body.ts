/** Sends a response body: compressed as negotiated, with its length, and without the body for HEAD. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { compress, type ContentCoding } from '../parsing/negotiation/content-codings';
import { type AcceptedCodings, negotiateCoding } from '../parsing/negotiation/negotiate-coding';

export interface Answer {
  readonly status?: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Negotiated before the work, so that an unacceptable request fails early. @default negotiated from the request */
  readonly codings?: AcceptedCodings;
}

/** Smaller bodies are not worth compressing. */
const MIN_CODED_BYTES = 1024;

/** Content coding for a body of this size; null: none. */
export function codingFor({ coding, identity }: AcceptedCodings, byteLength: number): ContentCoding | null {
  return byteLength >= MIN_CODED_BYTES || !identity ? coding : null;
}

export async function sendBody(req: IncomingMessage, res: ServerResponse, answer: Answer): Promise<void> {
  const coding = codingFor(answer.codings ?? negotiateCoding(req), answer.bytes.length);
  const bytes = coding === null ? answer.bytes : await compress(answer.bytes, coding);
  writeBody(res, { ...answer, bytes, coding });
}

/** @param body bytes that are already encoded */
export function writeBody(
  res: ServerResponse,
  body: Omit<Answer, 'codings'> & { readonly coding: ContentCoding | null }
): void {
  if (body.coding !== null) res.setHeader('Content-Encoding', body.coding);
  res.setHeader('Content-Type', body.contentType);
  res.setHeader('Content-Length', body.bytes.length);
  res.statusCode = body.status ?? 200;
  res.end(body.bytes);
}

export function sendEmpty(res: ServerResponse, status: number): void {
  res.statusCode = status;
  res.end();
}

/** Sends JSON. Routes define their own envelope. */
export async function sendJson(req: IncomingMessage, res: ServerResponse, value: unknown, status = 200): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value));
  await sendBody(req, res, { status, contentType: 'application/json; charset=utf-8', bytes });
}
