/** Body of the response to stored events. */
import type { IngestResult } from '#contract/queries/result';

export interface IngestAnswer {
  readonly result: IngestResult;
  /** What senders of an older service look for. */
  readonly message?: 'Logged!';
}

/** Without the message when every event was rejected. */
export function ingestAnswer(result: IngestResult): IngestAnswer {
  return result.rejected > 0 && result.accepted === 0 ? { result } : { result, message: 'Logged!' };
}
