/** Negotiates the format of a response by Accept. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { RESULT_FORMATS, type ResultFormat } from '#contract/queries/query';
import { listHeader } from '../header-values';
import { parseWeightedList, type WeightedItem } from './weighted-list';

export const CONTENT_TYPES: Readonly<Record<ResultFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  arrow: 'application/vnd.apache.arrow.stream',
};

const MEDIA_TYPES: Readonly<Record<ResultFormat, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  arrow: 'application/vnd.apache.arrow.stream',
};

const PROBLEM = 'application/problem+json';

/**
 * The acceptable format with the highest weight; `formats` breaks ties by its order. A client that names only
 * `application/problem+json` chooses the format of errors and gets JSON results.
 * @throws ServiceError `not_acceptable`
 */
export function negotiateFormat(req: IncomingMessage, formats: readonly ResultFormat[] = RESULT_FORMATS): ResultFormat {
  const items = acceptItems(req);
  if (items === null) return formats[0]!;
  const ranked = formats
    .map((format) => ({
      format,
      q: weightOf(MEDIA_TYPES[format], items, format === 'csv' ? CSV_PARAMETERS : NO_PARAMETERS),
    }))
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q);
  if (ranked[0]) return ranked[0].format;
  if (items.every((item) => item.value === PROBLEM && item.q > 0)) return formats[0]!;
  throw new ServiceError('not_acceptable', 'None of the formats named by Accept is available here.', {
    available: formats.map((format) => MEDIA_TYPES[format]),
  });
}

/** Whether errors are sent as problem+json: it is named, with at least the weight of plain JSON. */
export function prefersProblem(req: IncomingMessage): boolean {
  const items = acceptItems(req) ?? [];
  const exact = (type: string): number =>
    Math.max(0, ...items.filter((item) => item.value === type).map((item) => item.q));
  return exact(PROBLEM) > 0 && exact(PROBLEM) >= exact(MEDIA_TYPES.json);
}

const NO_PARAMETERS: Readonly<Record<string, string>> = { charset: 'utf-8' };
const CSV_PARAMETERS: Readonly<Record<string, string>> = { charset: 'utf-8', header: 'present' };

/** Null when the client accepts everything. */
function acceptItems(req: IncomingMessage): readonly WeightedItem[] | null {
  const header = listHeader(req, 'accept');
  if (header === undefined || header === '*/*') return null;
  const items = parseWeightedList(header);
  return items.length === 0 ? null : items;
}

/** Weight of the most specific matching range [RFC 9110 section 12.5.1]. */
function weightOf(type: string, items: readonly WeightedItem[], ours: Readonly<Record<string, string>>): number {
  let best = { specificity: -1, q: 0 };
  for (const item of items) {
    const specificity = specificityOf(item, type, ours);
    if (specificity > best.specificity || (specificity === best.specificity && item.q > best.q))
      best = { specificity, q: item.q };
  }
  return best.specificity < 0 ? 0 : best.q;
}

function specificityOf(item: WeightedItem, type: string, ours: Readonly<Record<string, string>>): number {
  // Parameters that our type does not have (`version=2`) do not affect the match.
  for (const [name, value] of Object.entries(ours))
    if ((item.parameters.get(name)?.toLowerCase() ?? value) !== value) return -1;
  if (item.value === type) return 2 + item.parameters.size;
  if (item.value === `${type.split('/')[0]}/*`) return 1;
  return item.value === '*/*' ? 0 : -1;
}
