/** One answer with a body: coded as the caller accepts it, with its length, and without the body for HEAD. */
import type { Request, Response } from 'express';
import { compress, type ContentCoding } from '../parsing/content-codings';
import { type AcceptedCodings, negotiateCoding } from '../parsing/negotiate-coding';

export interface Answer {
  readonly status?: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Made before the work was done, so that an impossible wish costs nothing. @default of the request */
  readonly codings?: AcceptedCodings;
}

/** Below this size coding costs more than it saves. */
const MIN_CODED_BYTES = 1024;

/** The coding of a body of this size; null: as it is. */
export function codingFor({ coding, identity }: AcceptedCodings, byteLength: number): ContentCoding | null {
  return byteLength >= MIN_CODED_BYTES || !identity ? coding : null;
}

export async function sendBody(req: Request, res: Response, answer: Answer): Promise<void> {
  const coding = codingFor(answer.codings ?? negotiateCoding(req), answer.bytes.length);
  const bytes = coding === null ? answer.bytes : await compress(answer.bytes, coding);
  writeBody(res, { ...answer, bytes, coding });
}

/** @param body its bytes are in the coding already */
export function writeBody(
  res: Response,
  body: Omit<Answer, 'codings'> & { readonly coding: ContentCoding | null }
): void {
  if (body.coding !== null) res.setHeader('Content-Encoding', body.coding);
  res.setHeader('Content-Type', body.contentType);
  res.setHeader('Content-Length', body.bytes.length);
  res.statusCode = body.status ?? 200;
  res.end(body.bytes);
}

/** The envelope of every JSON answer of the API is made by its route; this only writes it. */
export async function sendJson(req: Request, res: Response, value: unknown, status = 200): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value));
  await sendBody(req, res, { status, contentType: 'application/json; charset=utf-8', bytes });
}
