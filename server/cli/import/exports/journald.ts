/**
 * Entries of the journal of systemd, as `journalctl --output=json` writes them.
 * @see https://systemd.io/JOURNAL_EXPORT_FORMATS/#journal-json-format
 */
import { Token } from '../../../common/json/json-token';
import { type JsonNode, type JsonObject, writtenText } from '../../../common/json/json-tree';
import { textOf } from '../../../ingest/formats/events/sent-event';
import type { ExportedEvent } from './exported-event';

/** Microseconds since 1970. */
const TIME = '__REALTIME_TIMESTAMP';
/** Names the entry, also in other exports. */
const CURSOR = '__CURSOR';
const OF_THE_JOURNAL = [TIME, CURSOR, '__MONOTONIC_TIMESTAMP', '__SEQNUM', '__SEQNUM_ID', 'MESSAGE'];

export function readEntry({ members }: JsonObject): ExportedEvent | null {
  const time = members.get(TIME);
  if (time === undefined) return null;
  const fields = new Map(members);
  for (const name of OF_THE_JOURNAL) fields.delete(name);
  return { id: textOf(members.get(CURSOR)), time, message: messageOf(members.get('MESSAGE')), fields };
}

/** A field with control characters is a list of its bytes; one that an entry has several times is a list of texts. */
function messageOf(value: JsonNode | undefined): string {
  if (value?.token !== Token.array) return textOf(value) ?? '';
  const texts = value.items.map((item) => (item.token === Token.integer ? undefined : messageOf(item)));
  if (!texts.includes(undefined)) return texts.join('\n');
  return Buffer.from(value.items.map((item) => Number(writtenText(item)))).toString('utf8');
}
