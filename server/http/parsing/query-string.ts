/** Parses query strings literally: `a[]` and `a[b]` are ordinary names. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { decodeQueryText } from './decode-text';

export type NameValue = readonly [name: string, value: string];

const QUERY = Symbol('query');

interface WithQuery {
  [QUERY]?: readonly NameValue[];
}

/** Query string of a request, parsed once. @throws ServiceError `encoding_invalid` */
export function queryOf(req: IncomingMessage): readonly NameValue[] {
  return ((req as WithQuery)[QUERY] ??= parseQueryString(req.url ?? ''));
}

/** @throws ServiceError `encoding_invalid` */
export function parseQueryString(requestTarget: string): readonly NameValue[] {
  const start = requestTarget.indexOf('?');
  if (start < 0) return [];
  return requestTarget
    .slice(start + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const name = equals < 0 ? part : part.slice(0, equals);
      return [decodeQueryText(name), equals < 0 ? '' : decodeQueryText(part.slice(equals + 1))];
    });
}

/** Values of the given names. @throws ServiceError `parameter_duplicate` */
export function pickOnce(entries: readonly NameValue[], names: Iterable<string>): Map<string, string> {
  const wanted = new Set(names);
  const picked = new Map<string, string>();
  for (const [name, value] of entries) {
    if (!wanted.has(name)) continue;
    if (picked.has(name))
      throw new ServiceError('parameter_duplicate', `The parameter "${name}" is given twice.`, { parameter: name });
    picked.set(name, value);
  }
  return picked;
}
