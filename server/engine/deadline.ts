/**
 * The server's deadline for one call: an interrupt, then the end of the process. The caller is answered after the grace in any case;
 * whether the process has to go is decided apart from that, so that a thread that is busy for a moment costs nobody else anything.
 */
import type { ServiceError } from '#contract/errors';
import { threadHolder } from './culprits';
import { type CallLink, overdueError, type PendingCall } from './pending-call';

export interface DeadlineLimits {
  /** From the interrupt to the answer of the caller, and to the end of a process that confirmed the interrupt of a run. */
  readonly graceMs: number;
  /** To the end of a process that does not confirm it: its thread is held. */
  readonly stallMs: number;
  /** To the end of a process that turns, but does not finish a call other than a run. */
  readonly stuckMs: number;
}

export interface DeadlineActions {
  fail(error: ServiceError): void;
  /** @param offender null when no run is to blame. */
  endProcess(link: CallLink, offender: PendingCall | null): void;
}

const JUDGE_EVERY_MS = 100;

/** @returns a function that ends the supervision: the engine has nothing to do with the call any more. */
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
    const overdueMs = performance.now() - call.deadlineAt;
    const { isInterruptConfirmed } = flight.call;
    if (!isInterruptConfirmed && overdueMs >= limits.stallMs) {
      const holder = threadHolder(flight.link.inFlight.values());
      actions.endProcess(flight.link, holder ? holder.owner : asOffender(call));
    } else if (isInterruptConfirmed && call.kind === 'run') {
      actions.endProcess(flight.link, call);
    } else if (isInterruptConfirmed && overdueMs >= limits.stuckMs) {
      actions.endProcess(flight.link, null);
    } else {
      timer = setTimeout(judge, JUDGE_EVERY_MS);
    }
  }
}

/** Only a run that had its place can hold anything. */
function asOffender(call: PendingCall): PendingCall | null {
  return call.flight?.call.progress ? call : null;
}
