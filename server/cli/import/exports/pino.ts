/**
 * Lines of the loggers pino and bunyan: `{"level":30,"time":1772352000123,"pid":1,"hostname":"…","msg":"…"}`.
 * @see https://getpino.io/#/docs/api
 */
import type { JsonObject } from '../../../common/json/json-tree';
import { textOf } from '../../../ingest/formats/events/sent-event';
import type { ExportedEvent } from './exported-event';

export function readLoggerLine({ members }: JsonObject): ExportedEvent | null {
  const time = members.get('time');
  if (time === undefined || !members.has('level')) return null;
  const fields = new Map(members);
  for (const name of ['time', 'msg']) fields.delete(name);
  return { id: null, time, message: textOf(members.get('msg')) ?? '', fields };
}
