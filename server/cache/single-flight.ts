/** Runs equal concurrent work once. A subscriber may leave without stopping the work for the others. */
import { toError } from '../common/caught-error';

/** Handle of a flight for its running work. */
export interface FlightHandle {
  /** Aborts when the last subscriber has left, with that subscriber's reason. */
  readonly signal: AbortSignal;
  /** False after `forget` or when a newer flight replaced it: the outcome is for present subscribers only. */
  isCurrent(): boolean;
  /** Called when the work has waited for its turn: from then on it depends on no limit of its owner. */
  begin(): void;
}

/** Subscription to a flight. `outcome` rejects with the signal's reason when it aborts, independent of the work. */
export interface Subscription<T> {
  readonly outcome: Promise<T>;
  /** Whether the work was already running. */
  readonly joined: boolean;
  /** Owner of the request that started the flight. */
  readonly owner: string;
}

interface Flight<T> {
  readonly group: string;
  readonly owner: string;
  readonly controller: AbortController;
  readonly work: Promise<T>;
  waiting: number;
  hasBegun: boolean;
}

export interface FlightRequest<T> {
  readonly key: string;
  /** Argument of `forget`. */
  readonly group: string;
  readonly owner: string;
  /** Starts new work even when equal work is running; later requests join the new one. */
  readonly forceNew?: boolean;
  /** Whether to join work of this owner that has not begun. @default true */
  readonly mayWaitFor?: ((owner: string) => boolean) | undefined;
  readonly start: (handle: FlightHandle) => Promise<T>;
}

export class SingleFlight<T> {
  private readonly flights = new Map<string, Flight<T>>();

  isRunning(key: string): boolean {
    return this.flights.has(key);
  }

  /** Joins the flight of this key, or starts one. */
  join(request: FlightRequest<T>, signal: AbortSignal): Subscription<T> {
    if (signal.aborted) return { outcome: Promise.reject(toError(signal.reason)), joined: false, owner: request.owner };
    const present = this.joinable(request);
    const flight = present ?? this.start(request);
    return { outcome: this.wait(request.key, flight, signal), joined: present !== undefined, owner: flight.owner };
  }

  /** Removes the flights of a group: present subscribers get their outcome, later requests do not join. */
  forget(group: string): void {
    for (const [key, flight] of this.flights) if (flight.group === group) this.flights.delete(key);
  }

  private joinable({ key, forceNew, mayWaitFor }: FlightRequest<T>): Flight<T> | undefined {
    const present = forceNew ? undefined : this.flights.get(key);
    return present?.hasBegun || (present && mayWaitFor?.(present.owner) !== false) ? present : undefined;
  }

  private start({ key, group, owner, start }: FlightRequest<T>): Flight<T> {
    const controller = new AbortController();
    const isCurrent = (): boolean => this.flights.get(key)?.controller === controller;
    // The work starts after the flight is registered under its key.
    const begin = (): void => void (flight.hasBegun = true);
    const work = Promise.resolve().then(() => start({ signal: controller.signal, isCurrent, begin }));
    const flight: Flight<T> = { group, owner, controller, work, waiting: 0, hasBegun: false };
    this.flights.set(key, flight);
    const settle = (): void => this.remove(key, flight);
    work.then(settle, settle);
    return flight;
  }

  private wait(key: string, flight: Flight<T>, signal: AbortSignal): Promise<T> {
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(toError(signal.reason));
        flight.waiting -= 1;
        if (flight.waiting > 0) return;
        this.remove(key, flight);
        flight.controller.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      flight.work.finally(() => signal.removeEventListener('abort', leave)).then(resolve, reject);
    });
  }

  private remove(key: string, flight: Flight<T>): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
  }
}
