/**
 * The clock of the service, by the `Date` of its answers: time ranges up to now and ages of events are by it, since the
 * clock of a browser may be wrong.
 */

/** `Date` has whole seconds, and an answer takes time. */
const TOLERATED_MS = 5_000;

class ServiceClock {
  /** By how much it is ahead of the clock of the browser. */
  private aheadMs = 0;

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.aheadMs;
  }

  /** @param answer that no cache has kept */
  read({ headers }: Pick<Response, 'headers'>): void {
    const aheadMs = Date.parse(headers.get('Date') ?? '') - Date.now();
    if (!Number.isNaN(aheadMs)) this.aheadMs = Math.abs(aheadMs) <= TOLERATED_MS ? 0 : aheadMs;
  }
}

export const serviceClock = new ServiceClock();
