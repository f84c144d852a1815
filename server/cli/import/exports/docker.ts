/**
 * Lines of Docker's log driver `json-file`: `{"log":"…\n","stream":"stdout","time":"…"}`.
 * @see https://docs.docker.com/engine/logging/drivers/json-file/
 */
import { Token } from '../../../common/json/json-token';
import type { JsonObject } from '../../../common/json/json-tree';
import type { ExportedEvent } from './exported-event';

export function readDockerLine({ members }: JsonObject): ExportedEvent | null {
  const log = members.get('log');
  const time = members.get('time');
  if (log?.token !== Token.string || time?.token !== Token.string || !members.has('stream')) return null;
  const fields = new Map(members);
  for (const name of ['log', 'time']) fields.delete(name);
  return { id: null, time, message: log.text.replace(/\r?\n$/, ''), fields };
}
