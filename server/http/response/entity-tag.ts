/** Conditional requests [RFC 9110 section 13.1.2]: whether the client already has the current representation. */
import type { IncomingMessage } from 'node:http';
import { listHeader } from '../parsing/header-values';

/** Compares weakly: the prefix `W/` is ignored. @param etag with its quotes */
export function isKnownToCaller(req: IncomingMessage, etag: string): boolean {
  if (req.headers['if-none-match'] === undefined) return false;
  const header = listHeader(req, 'if-none-match')!;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  const tags: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return tags.includes(opaque);
}
