/**
 * Rows of VictoriaLogs: `{"_time":"…","_msg":"…","_stream":"{…}","field":"…"}`.
 * @see https://docs.victoriametrics.com/victorialogs/querying/
 */
import type { JsonObject } from '../../../common/json/json-tree';
import { textOf } from '../../../ingest/formats/events/sent-event';
import type { ExportedEvent } from './exported-event';

/** Labels of the stream are fields of the row, too. */
const OF_THE_STORE = ['_time', '_msg', '_stream', '_stream_id'];

export function readRow({ members }: JsonObject): ExportedEvent | null {
  const time = members.get('_time');
  if (time === undefined) return null;
  const fields = new Map(members);
  for (const name of OF_THE_STORE) fields.delete(name);
  return { id: null, time, message: textOf(members.get('_msg')) ?? '', fields };
}
