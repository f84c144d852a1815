/** Stores log events of one source. Responds after the commit. */
import { ServiceError } from '#contract/errors';
import { MAX_ENTRY_BYTES, type Source } from '#contract/events/source';
import { readBodySource } from '../../../ingest/formats/json/body-source';
import { splitBody } from '../../../ingest/formats/json/split-body';
import { inTurns } from '../../../ingest/in-turns';
import { bodyDigest } from '../../ingest/body-digest';
import { ensureLinesType } from '../../ingest/ensure-lines-type';
import { withIngestBody } from '../../ingest/ingest-batch';
import { ingestAnswer } from '../../ingest/ingest-answer';
import { findSource, readIngestParameters, sourceMissing } from '../../ingest/ingest-parameters';
import { IngestReceipt } from '../../ingest/ingest-receipt';
import { repairText } from '../../ingest/repair-text';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedCall, KeyedHandler } from '../../router';
import { sendJson } from '../../response/send-body';
import { type SourceBody, storeBody } from '../../ingest/store-body';

export const ingestLogs: KeyedHandler = async (call) => {
  const { req, res } = call;
  negotiateFormat(req, ['json']);
  ensureLinesType(req);
  const { source, tenant } = readIngestParameters(call);
  const receipt = new IngestReceipt(res);
  const result = await withIngestBody(call, async (sent, memory) => {
    const { maxEvents, maxInflatedBytes: maxBytes } = call.ctx.config.ingest;
    if (sent.length === 0) throw new ServiceError('body_invalid', 'The request body is empty.');
    const body = await repairText(sent, { maxBytes, memory });
    const entries = await readEntries(body, maxEvents);
    // Bodies that differ only in bytes that were replaced are different requests.
    const digest = await bodyDigest(sent);
    const { name } = source ?? (await sourceOfBody(call, body));
    return storeBody(call, receipt, { ...entries, digest, source: name, tenant });
  });
  receipt.noteStored();
  await sendJson(req, res, ingestAnswer(result));
};

async function sourceOfBody(call: KeyedCall, body: Buffer): Promise<Source> {
  const name = await inTurns(readBodySource(body));
  if (name !== null) return findSource(call, name);
  throw sourceMissing(call);
}

async function readEntries(body: Buffer, maxEvents: number): Promise<Omit<SourceBody, 'source' | 'tenant' | 'digest'>> {
  const { slices, hasFineTime, oversized } = await inTurns(splitBody(body, maxEvents));
  const rejected = oversized.map((index) => ({
    index,
    code: 'too_large',
    message: `the entry is longer than ${MAX_ENTRY_BYTES} bytes`,
  }));
  return { slices, hasFineTime, rejected };
}
