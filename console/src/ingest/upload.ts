/** One upload from its first piece to its last, with its progress. */
import type { Problem } from '../api/problem';
import type { EventPiece } from './event-pieces';
import { type EventTarget, NOTHING_SENT, type SendOptions, sendPiece, type SentPiece, sumOf } from './send-events';

export interface UploadProgress {
  readonly sent: SentPiece;
  readonly readBytes: number;
  /** Why the upload waits; null: it does not. */
  readonly waitsFor: Problem | null;
}

/** Rejected events that are listed; all are counted. */
export const MAX_LISTED = 1000;

export type UploadEnd = 'complete' | 'all_rejected';

/**
 * Stops after a piece of which nothing was accepted when nothing was before: the rest would fare alike.
 * @throws Problem when the service refuses events for good; the reason of the signal
 */
export async function upload(
  target: EventTarget,
  pieces: AsyncIterable<EventPiece>,
  options: Omit<SendOptions, 'onWait'>,
  onProgress: (progress: UploadProgress) => void
): Promise<UploadEnd> {
  let sent = NOTHING_SENT;
  let readBytes = 0;
  const onWait = (waitsFor: Problem): void => onProgress({ sent, readBytes, waitsFor });
  for await (const piece of pieces) {
    options.signal.throwIfAborted();
    sent = sumOf(sent, await sendPiece(target, piece, { ...options, onWait }), MAX_LISTED);
    readBytes = piece.readBytes;
    onProgress({ sent, readBytes, waitsFor: null });
    if (sent.accepted === 0) return 'all_rejected';
  }
  return 'complete';
}
