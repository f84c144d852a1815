/** A shipper that waits for each answer and sends the same bytes again until they are acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SenderKind } from './sender-kinds';

export interface Sender {
  readonly kind: SenderKind;
  readonly project: string;
  /** Events of requests that were answered with 200. */
  readonly acknowledged: number;
  /** Ends when the running request is acknowledged. */
  stop(): Promise<void>;
}

const RETRY_MS = 50;
const PAUSE_MS = 5;
const PATIENCE_MS = 60_000;

export function startSender(kind: SenderKind, project: string, token: string, url: () => string): Sender {
  let acknowledged = 0;
  let isStopping = false;

  async function sendUntilAcknowledged(n: number): Promise<void> {
    const { body, headers, events } = kind.request(project, n);
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(RETRY_MS)) {
      const answer = await fetch(new URL('/api/logs?source=edge_requests', url()), {
        method: 'POST',
        headers: { 'X-API-KEY': token, 'Content-Type': 'application/x-ndjson', ...headers },
        body,
      }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => null
      );
      if (answer?.status === 200) {
        const { accepted, rejected } = (JSON.parse(answer.text) as { result: { accepted: number; rejected: number } })
          .result;
        if (accepted !== events || rejected !== 0) throw new Error(`${kind.name}: ${answer.text}`);
        acknowledged += events;
        return;
      }
      const isFinal = answer !== null && answer.status >= 400 && answer.status < 500 && answer.status !== 429;
      if (isFinal || Date.now() > until)
        throw new Error(`${kind.name}: ${answer?.status ?? 'no answer'} ${answer?.text}`);
    }
  }

  const running = (async () => {
    for (let n = 0; !isStopping; n++) {
      await sendUntilAcknowledged(n);
      await sleep(PAUSE_MS);
    }
  })();
  // Reported by `stop`.
  running.catch(() => undefined);

  return {
    kind,
    project,
    get acknowledged() {
      return acknowledged;
    },
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
