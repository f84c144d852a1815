/** Finds the text of the access token in the headers of a request. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { singleHeader } from '../../parsing/header-values';

/** Reads the token from the credentials of a scheme. @throws ServiceError `header_invalid` */
type ReadCredentials = (credentials: string, req: IncomingMessage) => string | undefined;

interface Scheme {
  readonly read: ReadCredentials;
  /** Beside X-API-KEY, credentials are those of something else, such as a proxy. */
  readonly isSecondary?: true;
}

/** Schemes of `Authorization` by name in lower case. All others count as absent. */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ['bearer', { read: readWord }],
  ['basic', { read: readBasic, isSecondary: true }],
  ['apikey', { read: readApiKey }],
  ['splunk', { read: readWord }],
]);

/** Text of the access token of the request. @throws ServiceError `header_invalid` */
export function presentedKey(req: IncomingMessage): string | undefined {
  const key = singleHeader(req, 'X-API-KEY')?.trim() || undefined;
  const found = /^(\S+) +(.+)$/.exec(singleHeader(req, 'Authorization')?.trim() ?? '');
  const scheme = SCHEMES.get(found?.[1]!.toLowerCase() ?? '');
  if (scheme === undefined || (key !== undefined && scheme.isSecondary)) return key;
  const credentials = scheme.read(found![2]!, req);
  if (key !== undefined && credentials !== undefined && key !== credentials)
    throw invalid('X-API-KEY and Authorization carry different access tokens.');
  return key ?? credentials;
}

function readWord(credentials: string): string | undefined {
  return /^\S+$/.test(credentials) ? credentials : undefined;
}

/**
 * Clients of Elasticsearch send the base64 of id:key, of which the key is the token, or a text that they were given.
 */
function readApiKey(credentials: string): string | undefined {
  const bytes = decodeBase64(credentials);
  const text = bytes !== null && isUtf8(bytes) ? bytes.toString('utf8') : '';
  const colon = text.indexOf(':');
  return readWord(colon < 0 ? credentials : text.slice(colon + 1));
}

/**
 * The password [RFC 7617]. Absent in requests of a browser: it adds the login of a site to requests that other sites
 * make it send.
 */
function readBasic(credentials: string, req: IncomingMessage): string | undefined {
  if (isFromBrowser(req)) return undefined;
  const bytes = decodeBase64(credentials);
  if (bytes === null || !isUtf8(bytes)) throw invalidBasic('are not base64 of a text in UTF-8');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) throw invalidBasic('have no colon');
  const password = text.slice(colon + 1).trim();
  if (password === '') throw invalidBasic('have an empty password');
  return password;
}

/** Pages send one of these headers with every request that can change something. */
function isFromBrowser(req: IncomingMessage): boolean {
  return req.headersDistinct['origin'] !== undefined || req.headersDistinct['sec-fetch-site'] !== undefined;
}

/** @returns null for text that is not base64, with or without padding */
function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64').replace(/=+$/, '') === text.replace(/={1,2}$/, '') ? bytes : null;
}

function invalidBasic(what: string): ServiceError {
  return invalid(`The credentials of the scheme Basic ${what}.`, 'send the base64 of user:token, with any user name');
}

/** Never contains what was sent. */
function invalid(message: string, hint?: string): ServiceError {
  return new ServiceError('header_invalid', message, {
    header: 'Authorization',
    ...(hint === undefined ? {} : { hint }),
  });
}
