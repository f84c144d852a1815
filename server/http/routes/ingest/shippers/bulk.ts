/** Stores documents sent as a bulk request of Elasticsearch. */
import type { IncomingMessage } from 'node:http';
import { BULK_NAMES, BulkReader } from '../../../../ingest/formats/elasticsearch/read-bulk';
import { inTurns } from '../../../../ingest/in-turns';
import { writeBulkAnswer } from '../../../ingest/bulk-answer';
import { ensureLinesType } from '../../../ingest/ensure-lines-type';
import { storeEvents } from '../../../ingest/ingest-events';
import { readIngestParameters } from '../../../ingest/ingest-parameters';
import type { KeyedHandler } from '../../../router';
import { sendBody } from '../../../response/send-body';
import { nameProduct } from './elasticsearch';

/**
 * Responds like Elasticsearch: 200 with a status for each action, even when none is stored. Filebeat and Logstash send
 * a request that failed as a whole again, for ever.
 */
export const bulk: KeyedHandler = async (call) => {
  const { req, res, path } = call;
  nameProduct(res);
  ensureLinesType(req);
  const startedAtMs = performance.now();
  const reader = new BulkReader(path.index === '' ? null : path.index);
  const format = {
    names: BULK_NAMES,
    isText: true,
    read: (body: Buffer, maxEvents: number) => reader.read(body, maxEvents),
  };
  const { errors } = await storeEvents(call, format, readIngestParameters(call), Infinity);
  const tookMs = Math.round(performance.now() - startedAtMs);
  const bytes = await inTurns(writeBulkAnswer(reader.items, errors, tookMs, !isFluentBit(req)));
  await sendBody(req, res, { contentType: 'application/json; charset=utf-8', bytes });
};

/**
 * Fluent Bit sends the whole chunk again when `errors` is true and any document is refused for good: without end where
 * its retries have no limit, as docs/shippers.md sets them. Without `errors` it reads no item.
 */
function isFluentBit({ headers }: IncomingMessage): boolean {
  return headers['user-agent']?.startsWith('Fluent-Bit') ?? false;
}
