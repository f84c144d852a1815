/** Sends the sample logs, which are made here by rules and a seed, through the route for all senders. */
import type { Problem } from '../../api/problem';
import { NOTHING_SENT, sendPiece, type SentPiece, sumOf } from '../../ingest/send-events';
import { SAMPLE_SOURCE_NAMES, type SampleSource } from '../../../../server/cli/sample-data/sample-event';
import { sampleTraffic } from '../../../../server/cli/sample-data/sample-logs';

export { SAMPLE_SOURCE_NAMES };

/** A part of what the quickstart loads: enough for every query of the sample, in seconds. */
export const EDGE_REQUESTS = 12_000;
/** Events of all sources in one group. */
const GROUP_EVENTS = 4000;

interface LoadOptions {
  readonly token: string;
  /**
   * End of the week, in microseconds since 1970. Equal ends make equal events: a second load goes on with the first.
   */
  readonly endMicros: number;
  readonly signal: AbortSignal;
  /** @param share of the whole, from 0 to 1 */
  readonly onProgress: (share: number, sent: SentPiece) => void;
  /** Called before each wait for a service that is busy, or does not answer. */
  readonly onWait: (problem: Problem) => void;
}

/** @throws Problem when the service refuses events for good; the reason of the signal */
export async function loadSample({ token, endMicros, signal, onProgress, onWait }: LoadOptions): Promise<SentPiece> {
  const encoder = new TextEncoder();
  let sent = NOTHING_SENT;
  let requests = 0;
  let group = new Map<SampleSource, Uint8Array[]>();
  let size = 0;
  const send = async (): Promise<void> => {
    for (const [source, lines] of group) {
      signal.throwIfAborted();
      const piece = await sendPiece(
        { token, source, project: '' },
        { lines, firstIndex: 0 },
        {
          key: 'sample',
          signal,
          onWait,
        }
      );
      sent = sumOf(sent, piece, 10);
    }
    group = new Map();
    size = 0;
    onProgress(requests / EDGE_REQUESTS, sent);
  };
  for (const { source, event } of sampleTraffic({ endMicros, edgeRequests: EDGE_REQUESTS })) {
    if (source === 'edge_requests') requests += 1;
    const lines = group.get(source) ?? [];
    lines.push(encoder.encode(JSON.stringify(event)));
    group.set(source, lines);
    size += 1;
    if (size >= GROUP_EVENTS) await send();
  }
  await send();
  return sent;
}
