/** Refusal of a batch that ended two processes: its error, and the file that keeps it. */
import { ServiceError } from '#contract/errors';
import type { EngineLogger } from '../supervision/engine-supervisor';
import type { EngineCalls } from '../../protocol/messages';
import type { PendingCall } from '../pending-call';
import { setBatchAside } from './set-aside';

export function refusedBatch({ batchEnds, endReason }: PendingCall): ServiceError {
  const problem = endReason === 'memory' ? 'needs more memory than the engine may use' : 'ends the query engine';
  return new ServiceError(
    'batch_refused',
    `The batch ${problem}: it was tried ${batchEnds} times, without other batches beside it. Nothing of it is acknowledged.`,
    { reason: endReason, hint: 'do not send it again as it is; send fewer or smaller events in a batch' }
  );
}

/** Writes the batch to the folder, and its token to the log. Never rejects. */
export async function keepBatch(call: PendingCall, folder: string, logger: EngineLogger): Promise<void> {
  const { source } = call.request as EngineCalls['ingest']['request'];
  const { owner, body = new Uint8Array(), traceId, endReason } = call;
  const facts = { token_id: owner, source, bytes: body.length, reason: endReason, trace_id: traceId };
  try {
    const file = await setBatchAside(folder, { source, owner: owner ?? 'unknown', body });
    logger.error({ ...facts, file }, 'a batch ended the engine process again: it is refused and set aside');
  } catch (error) {
    logger.error(
      { ...facts, err: error },
      'a batch ended the engine process again: it is refused; it could not be set aside'
    );
  }
}
