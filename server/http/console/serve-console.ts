/**
 * Sends the console. It needs no token: it has no data, and asks the API for everything with the token of its reader.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpHandler } from '../middleware/in-order';
import { negotiateCoding } from '../parsing/negotiation/negotiate-coding';
import { requestFacts } from '../request/request-facts';
import { isKnownToCaller } from '../response/entity-tag';
import { answerOtherMethod } from '../response/other-method';
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
const METHODS = 'GET, HEAD, OPTIONS';
const YEAR = 'public, max-age=31536000, immutable';

/** @param files null: all requests are passed on */
export function serveConsole(files: ConsoleFiles | null): HttpHandler {
  return (req, res, next) => {
    const path = pathOf(req.url ?? '');
    if (files === null || (path !== '/' && path !== '/console' && !path.startsWith(PREFIX))) return next();
    const asset = path.startsWith(ASSETS) ? files.assets.get(path.slice(ASSETS.length)) : null;
    if (asset === undefined) return next();
    requestFacts(req).route = asset === null ? '/console' : ASSETS;
    if (req.method !== 'GET' && req.method !== 'HEAD') return answerOtherMethod(req, res, METHODS);
    if (asset === null) return sendPage(req, res, files);
    res.setHeader('Cache-Control', YEAR);
    return sendFile(res, asset, formOf(req, asset));
  };
}

function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** Every page of the console is this one: its script reads the address. */
function sendPage(req: IncomingMessage, res: ServerResponse, { page, pageDigest }: ConsoleFiles): void {
  const form = formOf(req, page);
  // A strong tag names bytes, which differ by coding [RFC 9110 section 8.8.3.3].
  const tag = form === null ? `"${pageDigest}"` : `"${pageDigest}-${form}"`;
  res.setHeader('Content-Security-Policy', POLICY);
  res.setHeader('Cache-Control', 'no-cache');
  res.setHeader('ETag', tag);
  if (isKnownToCaller(req, tag)) sendEmpty(res, 304);
  else sendFile(res, page, form);
}

/** The compressed form of a file that the caller accepts; null: the file as it is. */
function formOf(req: IncomingMessage, file: ConsoleFile): 'br' | 'gzip' | null {
  const { coding } = negotiateCoding(req);
  return (coding === 'br' || coding === 'gzip') && file[coding] !== null ? coding : null;
}

function sendFile(res: ServerResponse, file: ConsoleFile, form: 'br' | 'gzip' | null): void {
  const body = (form === null ? null : file[form]) ?? file.bytes;
  if (form !== null) res.setHeader('Content-Encoding', form);
  res.setHeader('Content-Type', file.contentType);
  res.setHeader('Content-Length', body.length);
  // Node leaves the body of an answer to HEAD out.
  res.end(body);
}
