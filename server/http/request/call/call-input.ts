/** Reads the parameters and the ad-hoc text of a call from the URL and the body. A name may be in one of them only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { HttpLimits } from '../../../config';
import { decodeBody } from '../../parsing/decode-text';
import { type FlatEntries, readFlatJson, scalarTexts } from '../../parsing/flat-json';
import { singleHeader } from '../../parsing/header-values';
import { type NameValue, queryOf } from '../../parsing/query-string';
import { announcesBody } from '../../bodies/announces-body';
import { readBody } from '../../bodies/read-body';
import { keepSmallBody, smallBody } from '../../bodies/small-body';
import { parseMediaType } from '../../parsing/negotiation/weighted-list';

export interface CallInput {
  /** Names and values in the order given, including `sql` and `lql`; a name may occur more than once. */
  readonly entries: readonly NameValue[];
}

/** @throws ServiceError `encoding_invalid`, `body_invalid`, `media_type_unsupported`, `parameter_conflict` */
export async function readCallInput(req: IncomingMessage, res: ServerResponse, limits: HttpLimits): Promise<CallInput> {
  const fromUrl = queryOf(req);
  if (req.method !== 'POST' && req.method !== 'QUERY') {
    await ensureNoTextInBody(req, res, limits);
    return { entries: fromUrl };
  }
  const fromBody = await readCallBody(req, res, limits);
  const names = new Set(fromUrl.map(([name]) => name));
  const shared = fromBody.find(([name]) => names.has(name));
  if (shared)
    throw new ServiceError('parameter_conflict', `"${shared[0].slice(0, 64)}" is given in the URL and in the body.`, {
      parameter: shared[0].slice(0, 64),
    });
  return { entries: [...fromUrl, ...fromBody] };
}

/**
 * The body of a GET has no meaning [RFC 9110 section 9.3.1] and is ignored. The older service took a long text from
 * there: its callers must not get the rows of the saved query in its place.
 */
async function ensureNoTextInBody(req: IncomingMessage, res: ServerResponse, limits: HttpLimits): Promise<void> {
  if (!announcesBody(req) || parseMediaType(singleHeader(req, 'Content-Type') ?? '').value !== 'application/json')
    return;
  const { maxQueryBodyBytes: maxBytes, minBytesPerSecond } = limits;
  const bytes = await readBody(req, res, { maxBytes, maxInflatedBytes: maxBytes, minBytesPerSecond });
  if (!hasAdhocText(bytes)) return;
  throw new ServiceError('body_invalid', 'The body of a GET is not read. Send the call as POST, with the same body.');
}

function hasAdhocText(bytes: Buffer): boolean {
  try {
    const body: unknown = JSON.parse(bytes.toString());
    return typeof body === 'object' && body !== null && ('sql' in body || 'lql' in body);
  } catch {
    return false;
  }
}

async function readCallBody(
  req: IncomingMessage,
  res: ServerResponse,
  limits: HttpLimits
): Promise<readonly NameValue[]> {
  const type = parseMediaType(singleHeader(req, 'Content-Type') ?? '');
  const isKnown = type.value === 'application/json' || type.value === 'application/sql';
  // A body of unknown type is refused before it is read. An empty body needs no type.
  if (!isKnown && type.value !== '') throw unsupportedType();
  const charset = type.parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8')
    throw new ServiceError('media_type_unsupported', 'The body must be UTF-8.', { available: ['utf-8'] });
  const { maxQueryBodyBytes: maxBytes, minBytesPerSecond } = limits;
  const bytes =
    smallBody(req) ?? (await readBody(req, res, { maxBytes, maxInflatedBytes: maxBytes, minBytesPerSecond }));
  keepSmallBody(req, bytes);
  if (type.value === 'application/sql') return [['sql', decodeBody(bytes)]];
  if (bytes.length === 0) return [];
  if (!isKnown) throw unsupportedType();
  return flattenBody(readFlatJson(decodeBody(bytes), 'params'));
}

/** Accepts `{"params":{...},"sql":"..."}`, or, without a `params` object, parameters beside `sql`. */
function flattenBody(body: FlatEntries): readonly NameValue[] {
  const groups = body.filter(([, value]) => Array.isArray(value));
  if (groups.length > 1)
    throw new ServiceError('parameter_duplicate', '"params" is given twice.', { parameter: 'params' });
  const entries = body.flatMap(([name, value]): NameValue[] => {
    if ('type' in value) {
      if (isAdhocName(name) && value.type !== 'text')
        throw new ServiceError('body_invalid', `"${name}" must be text.`, { parameter: name });
      return [[name, value.text]];
    }
    if (value.some(([inner]) => isAdhocName(inner)))
      throw new ServiceError('body_invalid', 'Ad-hoc text stands beside "params", not in it.');
    return scalarTexts(value);
  });
  const stray = groups.length > 0 ? body.find(([name, value]) => 'type' in value && !isAdhocName(name)) : undefined;
  if (stray)
    throw new ServiceError('body_invalid', `"${stray[0].slice(0, 64)}" stands beside "params"; put it into "params".`, {
      parameter: stray[0].slice(0, 64),
    });
  return entries;
}

function isAdhocName(name: string): boolean {
  return name === 'sql' || name === 'lql';
}

function unsupportedType(): ServiceError {
  return new ServiceError('media_type_unsupported', 'The body must be application/json or application/sql.', {
    available: ['application/json', 'application/sql'],
  });
}
