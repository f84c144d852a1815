/**
 * Hits of Elasticsearch and OpenSearch: `{"_index":"…","_id":"…","_source":{…}}`, as elasticdump and the search API
 * write them.
 */
import { takeMessage } from '../../../ingest/formats/documents/document-fields';
import { Token } from '../../../common/json/json-token';
import type { JsonObject } from '../../../common/json/json-tree';
import { textOf } from '../../../ingest/formats/events/sent-event';
import type { ExportedEvent } from './exported-event';

export function readHit(hit: JsonObject): ExportedEvent | null {
  const document = hit.members.get('_source');
  if (document?.token !== Token.object) return null;
  const fields = new Map(document.members);
  const time = fields.get('@timestamp');
  fields.delete('@timestamp');
  return { id: textOf(hit.members.get('_id')), time, message: takeMessage(fields, document), fields };
}
