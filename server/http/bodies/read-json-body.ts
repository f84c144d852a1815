/** Reads a JSON body of bounded size. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { HttpLimits } from '../../config';
import { decodeBody } from '../parsing/decode-text';
import { singleHeader } from '../parsing/header-values';
import { parseMediaType } from '../parsing/negotiation/weighted-list';
import { parseStrictJson } from '../parsing/parse-json';
import { readBody } from './read-body';

const JSON_TYPE = 'application/json';

/**
 * @throws ServiceError `media_type_unsupported`, `body_invalid`, `encoding_invalid`, and those of `readBody`
 */
export async function readJsonBody(req: IncomingMessage, res: ServerResponse, limits: HttpLimits): Promise<unknown> {
  if (mediaTypeOf(req) !== JSON_TYPE) throw wrongType([JSON_TYPE]);
  return parseStrictJson(await readTextBody(req, res, limits));
}

/**
 * An empty body without a media type is an empty object.
 * @param types media types that are accepted
 * @param turn resolves when the body may be parsed
 * @throws those of `readJsonBody`
 */
export async function readStrictJsonBody(
  req: IncomingMessage,
  res: ServerResponse,
  limits: HttpLimits,
  types: readonly string[] = [JSON_TYPE],
  turn: () => Promise<void> = () => Promise.resolve()
): Promise<unknown> {
  const type = mediaTypeOf(req);
  if (type !== '' && !types.includes(type)) throw wrongType(types);
  const text = await readTextBody(req, res, limits);
  if (type === '' && text !== '') throw wrongType(types);
  await turn();
  return text === '' ? {} : parseStrictJson(text);
}

function wrongType(types: readonly string[]): ServiceError {
  return new ServiceError('media_type_unsupported', `The body must be ${types.join(' or ')}.`, { available: types });
}

/** Media type of the body in lower case, without parameters; empty without a Content-Type. */
export function mediaTypeOf(req: IncomingMessage): string {
  return parseMediaType(singleHeader(req, 'Content-Type') ?? '').value;
}

/** @throws ServiceError `encoding_invalid`, and those of `readBody` */
export async function readTextBody(
  req: IncomingMessage,
  res: ServerResponse,
  { maxQueryBodyBytes: maxBytes, minBytesPerSecond }: HttpLimits
): Promise<string> {
  const bytes = await readBody(req, res, { maxBytes, maxInflatedBytes: maxBytes, minBytesPerSecond });
  return decodeBody(bytes);
}
