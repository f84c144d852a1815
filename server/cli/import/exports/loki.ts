/**
 * Lines of Loki: `{"labels":{…},"line":"…","timestamp":"…"}`, as `logcli query --output=jsonl` writes them.
 * @see https://grafana.com/docs/loki/latest/query/logcli/
 */
import { Token } from '../../../common/json/json-token';
import type { JsonObject } from '../../../common/json/json-tree';
import { lineFields } from '../../../ingest/formats/loki/line-fields';
import type { ExportedEvent } from './exported-event';

/** Labels outrank fields of a line that is JSON, as in Loki's push. */
export function readLine({ members }: JsonObject): ExportedEvent | null {
  const line = members.get('line');
  const labels = members.get('labels');
  if (line?.token !== Token.string || labels?.token !== Token.object) return null;
  const fields = new Map([...lineFields(line.text), ...labels.members]);
  const level = labels.members.get('detected_level');
  if (level !== undefined && !fields.has('level')) fields.set('level', level);
  return { id: null, time: members.get('timestamp'), message: line.text, fields };
}
