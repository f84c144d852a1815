/** Streams and lines of Loki's push, independent of their encoding. */
import { ServiceError } from '#contract/errors';
import { Token } from '../../../common/json/json-token';
import type { JsonNode } from '../../../common/json/json-tree';
import { RecordRefusal } from '../record-refusal';
import { MAX_NANOS, type SentEvent, type SharedFacts, type SourceNames, textOf } from '../events/sent-event';
import { lineFields } from './line-fields';

/** Names without dots, which labels cannot contain. */
export const LOKI_NAMES: SourceNames = { source: 'lqe_source', service: 'service_name' };

/** @param labels of a stream, all of them texts */
export function shareLabels(labels: ReadonlyMap<string, JsonNode>): SharedFacts {
  const attributes = new Map(labels);
  attributes.delete(LOKI_NAMES.source);
  return {
    attributes,
    records: attributes.size === 0 ? [] : [['labels', { token: Token.object, members: attributes }]],
    source: textOf(labels.get(LOKI_NAMES.source)),
    service: textOf(labels.get(LOKI_NAMES.service)),
  };
}

/**
 * Fields in order of precedence: structured metadata, then the fields of a line that is a JSON object.
 * @param fields structured metadata, owned by the event
 */
export function lineEvent(
  nanos: bigint | null,
  line: string,
  fields: Map<string, JsonNode>,
  shared: SharedFacts | RecordRefusal
): SentEvent {
  const source = textOf(fields.get(LOKI_NAMES.source));
  fields.delete(LOKI_NAMES.source);
  for (const [name, value] of lineFields(line)) if (!fields.has(name)) fields.set(name, value);
  const level = fields.get('detected_level') ?? labelLevel(shared);
  if (level !== undefined && !fields.has('level')) fields.set('level', level);
  return { id: null, nanos, message: line, fields, source };
}

/** @throws RecordRefusal `bad_timestamp` */
export function checkNanos(nanos: bigint): bigint {
  if (nanos < 0n || nanos > MAX_NANOS)
    throw new RecordRefusal('bad_timestamp', 'the time is not within the years 1970 to 2554');
  return nanos;
}

export function wrong(what: string, expected: string): ServiceError {
  return new ServiceError('body_invalid', `"${what}" of a stream must be ${expected}.`, { reason: 'bad_value' });
}

/** The label of the level, by its names in Loki and its agents. */
function labelLevel(shared: SharedFacts | RecordRefusal): JsonNode | undefined {
  if (shared instanceof RecordRefusal) return undefined;
  return shared.attributes.get('level') ?? shared.attributes.get('detected_level');
}
