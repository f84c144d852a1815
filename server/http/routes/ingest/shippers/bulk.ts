/** Stores documents sent as a bulk request of Elasticsearch. */
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
  const bytes = await inTurns(writeBulkAnswer(reader.items, errors, tookMs));
  await sendBody(req, res, { contentType: 'application/json; charset=utf-8', bytes });
};
