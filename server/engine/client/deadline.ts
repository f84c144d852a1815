/**
 * The server's deadline for one call: an interrupt, then the end of the process. The caller gets its error after the
 * grace period in any case; the process is judged separately, so that a thread that is briefly busy does no harm to
 * other calls. A call that waited for the process is judged when the process has had the whole time of the call.
 */
import type { ServiceError } from '#contract/errors';
import { threadHolder } from './blame/culprits';
import { type CallLink, fullTimeAt, overdueError, type PendingCall } from './pending-call';

export interface DeadlineLimits {
  /**
   * Time from the interrupt to the caller's error, and to the end of a process that confirmed the interrupt of a run.
   */
  readonly graceMs: number;
  /** Time to the end of a process that does not confirm the interrupt: its thread is blocked. */
  readonly stallMs: number;
  /** Time to the end of a process that confirms the interrupt, but does not finish a call other than a run. */
  readonly stuckMs: number;
}

export interface DeadlineActions {
  fail(error: ServiceError): void;
  /** @param culprit the call to blame; null: none */
  endProcess(link: CallLink, culprit: PendingCall | null): void;
}

const JUDGE_EVERY_MS = 100;

/** @returns a function that ends the supervision, called when the engine has finished the call. */
export function superviseDeadline(call: PendingCall, limits: DeadlineLimits, actions: DeadlineActions): () => void {
  let timer = setTimeout(interrupt, call.deadlineAt - performance.now());
  return () => clearTimeout(timer);

  function interrupt(): void {
    if (!call.flight) {
      actions.fail(overdueError(call));
      return;
    }
    call.flight.link.cancel(call.flight.call.id);
    timer = setTimeout(() => {
      actions.fail(overdueError(call));
      judge();
    }, limits.graceMs);
  }

  function judge(): void {
    const flight = call.flight;
    if (!flight) return;
    const overdueMs = performance.now() - fullTimeAt(call);
    const { isInterruptConfirmed } = flight.call;
    if (!isInterruptConfirmed && overdueMs >= limits.stallMs) {
      const holder = threadHolder(flight.link.inFlight.values());
      actions.endProcess(flight.link, holder ? holder.owner : asCulprit(call));
    } else if (isInterruptConfirmed && call.kind === 'run' && overdueMs >= limits.graceMs) {
      actions.endProcess(flight.link, call);
    } else if (isInterruptConfirmed && overdueMs >= limits.stuckMs) {
      actions.endProcess(flight.link, null);
    } else {
      timer = setTimeout(judge, JUDGE_EVERY_MS);
    }
  }
}

/** Returns the call when it can block the thread: only a run with a permit can. */
function asCulprit(call: PendingCall): PendingCall | null {
  return call.flight?.call.progress ? call : null;
}
