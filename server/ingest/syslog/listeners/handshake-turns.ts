/**
 * Begins TLS handshakes and other work of TLS one after another, in turns of addresses. A handshake computes a
 * signature on the thread that serves all requests (7 ms with an RSA key of 4,096 bits), before its client has shown
 * anything of itself. So the thread is left to other work for as long as each has taken.
 */
import { setImmediate as nextPass, setTimeout as sleep } from 'node:timers/promises';

const LEAST_PAUSE_MS = 1;

export class HandshakeTurns {
  /** By address, in the order of their next turns. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isRunning = false;

  /** @param begin processes what the client has sent so far; called once */
  add(peer: string, begin: () => void): void {
    const own = this.waiting.get(peer);
    if (own === undefined) this.waiting.set(peer, [begin]);
    else own.push(begin);
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    let owedMs = 0;
    for (let begin = this.take(); begin !== undefined; begin = this.take()) {
      owedMs += await timeOf(begin);
      // A timer takes a millisecond or more: pieces with messages take less, and their pauses are made together.
      if (owedMs >= LEAST_PAUSE_MS) {
        await pause(owedMs);
        owedMs = 0;
      }
      await nextPass();
    }
    this.isRunning = false;
  }

  private take(): (() => void) | undefined {
    const [next] = this.waiting;
    if (next === undefined) return undefined;
    const [peer, own] = next;
    const begin = own.shift()!;
    this.waiting.delete(peer);
    if (own.length > 0) this.waiting.set(peer, own);
    return begin;
  }
}

/** Waits at least that long: a timer may end up to a millisecond early. */
async function pause(ms: number): Promise<void> {
  const endMs = performance.now() + ms;
  for (let restMs = ms; restMs > 0; restMs = endMs - performance.now()) await sleep(restMs);
}

/** @returns milliseconds that it took, with what it left for the next tick, as TLS does with the first bytes */
function timeOf(begin: () => void): Promise<number> {
  return new Promise((resolve) => {
    process.nextTick(() => {
      const startMs = performance.now();
      begin();
      process.nextTick(() => resolve(performance.now() - startMs));
    });
  });
}
