/** Reads a JSON body of bounded size. */
import type { Request, Response } from 'express';
import { ServiceError } from '#contract/errors';
import type { HttpLimits } from '../../config';
import { decodeUtf8 } from '../parsing/decode-text';
import { singleHeader } from '../parsing/header-values';
import { parseMediaType } from '../parsing/weighted-list';
import { readBody } from './read-body';

const JSON_TYPE = 'application/json';

/**
 * @param types media types that are accepted
 * @throws ServiceError `media_type_unsupported`, `body_invalid`, `encoding_invalid`, and those of `readBody`
 */
export async function readJsonBody(
  req: Request,
  res: Response,
  limits: HttpLimits,
  types: readonly string[] = [JSON_TYPE]
): Promise<unknown> {
  if (!types.includes(mediaTypeOf(req)))
    throw new ServiceError('media_type_unsupported', `The body must be ${types.join(' or ')}.`, { available: types });
  return parseJson(await readTextBody(req, res, limits));
}

/** Media type of the body in lower case, without parameters; empty when there is none. */
export function mediaTypeOf(req: Request): string {
  return parseMediaType(singleHeader(req, 'Content-Type') ?? '').value;
}

/** @throws ServiceError `encoding_invalid`, and those of `readBody` */
export async function readTextBody(
  req: Request,
  res: Response,
  { maxQueryBodyBytes: maxBytes, minBytesPerSecond }: HttpLimits
): Promise<string> {
  const bytes = await readBody(req, res, { maxBytes, maxInflatedBytes: maxBytes, minBytesPerSecond });
  return decodeUtf8(bytes, 'The request body');
}

/** @throws ServiceError `body_invalid` */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('body_invalid', 'The request body is not valid JSON.');
  }
}
