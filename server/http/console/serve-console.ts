/** Sends the console. It needs no token: it has no data, and asks the API for everything with the token of its reader. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHandler } from '../middleware/in-order';
import { negotiateCoding } from '../parsing/negotiate-coding';
import { requestFacts } from '../request/request-facts';
import { isKnownToCaller } from '../response/entity-tag';
import { sendEmpty } from '../response/send-body';
import type { ConsoleFile, ConsoleFiles } from './console-files';

const PREFIX = '/console/';
const ASSETS = '/console/assets/';
/** Nothing but files of this server: a line of a log that is shown can bring nothing along. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const YEAR = 'public, max-age=31536000, immutable';

/** @param files null: all requests are passed on */
export function serveConsole(files: ConsoleFiles | null): HttpHandler {
  return (req, res, next) => {
    const path = pathOf(req.url ?? '');
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (files === null || !isRead || (path !== '/' && path !== '/console' && !path.startsWith(PREFIX))) return next();
    if (!path.startsWith(ASSETS)) {
      requestFacts(req).route = '/console';
      return sendPage(req, res, files);
    }
    const asset = files.assets.get(path.slice(ASSETS.length));
    if (asset === undefined) return next();
    requestFacts(req).route = ASSETS;
    res.setHeader('Cache-Control', YEAR);
    return sendFile(req, res, asset);
  };
}

function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** Every page of the console is this one: its script reads the address. */
function sendPage(req: IncomingMessage, res: ServerResponse, { page, pageTag }: ConsoleFiles): void {
  res.setHeader('Content-Security-Policy', POLICY);
  res.setHeader('Cache-Control', 'no-cache');
  res.setHeader('ETag', pageTag);
  if (isKnownToCaller(req, pageTag)) sendEmpty(res, 304);
  else sendFile(req, res, page);
}

function sendFile(req: IncomingMessage, res: ServerResponse, { contentType, bytes, gzip, br }: ConsoleFile): void {
  const { coding } = negotiateCoding(req);
  const coded = coding === 'br' ? br : coding === 'gzip' ? gzip : null;
  if (coded !== null) res.setHeader('Content-Encoding', coding!);
  const body = coded ?? bytes;
  res.setHeader('Vary', 'Accept-Encoding');
  res.setHeader('Content-Type', contentType);
  res.setHeader('Content-Length', body.length);
  // Node leaves the body of an answer to HEAD out.
  res.end(body);
}
