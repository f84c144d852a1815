/** Conditional requests [RFC 9110 section 13.1.2]: whether the caller holds what would be sent. */
import type { IncomingMessage } from 'node:http';
import { listHeader } from '../parsing/header-values';

/** Weak comparison: the mark `W/` does not count. @param etag with its quotes */
export function isKnownToCaller(req: IncomingMessage, etag: string): boolean {
  if (req.headers['if-none-match'] === undefined) return false;
  const header = listHeader(req, 'if-none-match')!;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  const tags: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return tags.includes(opaque);
}
