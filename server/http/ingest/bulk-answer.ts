/** Answer to a bulk request of Elasticsearch: a status for each action. */
import { MAX_REPORTED_ERRORS } from '#contract/queries/result';
import type { BulkItem } from '../../ingest/formats/elasticsearch/bulk-actions';
import type { RefusedEvent } from '../../ingest/formats/events/event-batches';
import { hideTokenTexts } from '../../catalog/tokens/secrets/token-text';

/** Items written in one turn. */
const TURN_ITEMS = 1_000;
/** Refusals with a reason; further ones have their type alone. */
const MAX_REASONS = MAX_REPORTED_ERRORS;

/**
 * Events that were stored before are reported as created: the request that created them is the one that is sent again.
 *
 * @param errors ordered by place
 * @param saysErrors whether the answer says beside the items that some are refused
 * @returns the answer, after null for each turn
 */
export function* writeBulkAnswer(
  items: readonly BulkItem[],
  errors: readonly RefusedEvent[],
  tookMs: number,
  saysErrors: boolean
): Generator<null, Buffer> {
  const parts: Buffer[] = [Buffer.from(`{"took":${tookMs},"errors":${saysErrors && errors.length > 0},"items":[`)];
  let nextError = 0;
  for (let start = 0; start < items.length; start += TURN_ITEMS) {
    const texts = items.slice(start, start + TURN_ITEMS).map((item, i) => {
      const isRefused = errors[nextError]?.place === start + i;
      return writeItem(item, isRefused ? describe(errors[nextError++]!, nextError) : null);
    });
    parts.push(Buffer.from(`${start === 0 ? '' : ','}${texts.join(',')}`));
    yield null;
  }
  parts.push(Buffer.from(']}'));
  return Buffer.concat(parts);
}

const CREATED = '"result":"created","status":201';

/** @param number of the refusal, from 1 */
function describe({ code, message }: RefusedEvent, number: number): string {
  return `"status":400,"error":{"type":"${code}","reason":${textOf(number > MAX_REASONS ? code : message)}}`;
}

/** @param refusal null: the event is stored */
function writeItem({ action, index, id }: BulkItem, refusal: string | null): string {
  const names = `${index === null ? '' : `"_index":${textOf(index)},`}${id === null ? '' : `"_id":${textOf(id)},`}`;
  return `{"${action}":{${names}${refusal ?? CREATED}}}`;
}

function textOf(text: string): string {
  return JSON.stringify(hideTokenTexts(text));
}
