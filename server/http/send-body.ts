/** One answer with a body: coded as the caller accepts it, with its length, and without the body for HEAD. */
import type { Request, Response } from 'express';
import { compress } from './content-codings';
import { type AcceptedCodings, negotiateCoding } from './negotiate-coding';

export interface Answer {
  readonly status?: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Made before the work was done, so that an impossible wish costs nothing. @default of the request */
  readonly codings?: AcceptedCodings;
}

/** Below this size coding costs more than it saves. */
const MIN_CODED_BYTES = 1024;

export async function sendBody(req: Request, res: Response, answer: Answer): Promise<void> {
  const { coding, identity } = answer.codings ?? negotiateCoding(req);
  const isCoded = coding !== null && (answer.bytes.length >= MIN_CODED_BYTES || !identity);
  const bytes = isCoded ? await compress(answer.bytes, coding) : answer.bytes;
  if (isCoded) res.setHeader('Content-Encoding', coding);
  res.setHeader('Content-Type', answer.contentType);
  res.setHeader('Content-Length', bytes.length);
  res.statusCode = answer.status ?? 200;
  res.end(bytes);
}

/** The envelope of every JSON answer of the API is made by its route; this only writes it. */
export async function sendJson(req: Request, res: Response, value: unknown, status = 200): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value));
  await sendBody(req, res, { status, contentType: 'application/json; charset=utf-8', bytes });
}
