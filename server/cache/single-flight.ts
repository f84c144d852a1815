/** Equal work that is asked for at the same time is done once; who asked may leave without stopping it for the others. */

/** The work as it sees itself. */
export interface FlightHandle {
  /** Aborts when the last who waited has left, with that one's reason. */
  readonly signal: AbortSignal;
  /** False once the flight was detached or another took its place: what it brings is for those who wait, and for nobody later. */
  isCurrent(): boolean;
}

/** Rejects with the signal's reason when it aborts, whatever becomes of the work. */
export interface Seat<T> {
  readonly outcome: Promise<T>;
  /** Whether the work was under way already. */
  readonly joined: boolean;
  /** Who started it. */
  readonly owner: string;
}

interface Flight<T> {
  readonly group: string;
  readonly owner: string;
  readonly controller: AbortController;
  readonly work: Promise<T>;
  waiting: number;
}

export interface Departure<T> {
  readonly key: string;
  /** What `detach` names. */
  readonly group: string;
  readonly owner: string;
  /** Starts anew even when equal work is under way; who comes later joins the new one. */
  readonly afresh?: boolean;
  readonly start: (handle: FlightHandle) => Promise<T>;
}

export class SingleFlight<T> {
  private readonly flights = new Map<string, Flight<T>>();

  isUnderWay(key: string): boolean {
    return this.flights.has(key);
  }

  /** Joins the work of this key, or starts it. */
  board(departure: Departure<T>, signal: AbortSignal): Seat<T> {
    if (signal.aborted)
      return { outcome: Promise.reject(signal.reason as Error), joined: false, owner: departure.owner };
    const present = departure.afresh ? undefined : this.flights.get(departure.key);
    const flight = present ?? this.start(departure);
    return { outcome: this.wait(departure.key, flight, signal), joined: present !== undefined, owner: flight.owner };
  }

  /** The present work of a group is finished for those who wait, and nobody joins it any more. */
  detach(group: string): void {
    for (const [key, flight] of this.flights) if (flight.group === group) this.flights.delete(key);
  }

  private start({ key, group, owner, start }: Departure<T>): Flight<T> {
    const controller = new AbortController();
    const isCurrent = (): boolean => this.flights.get(key)?.controller === controller;
    // Nothing of the work is done before the flight is known under its key.
    const work = Promise.resolve().then(() => start({ signal: controller.signal, isCurrent }));
    const flight: Flight<T> = { group, owner, controller, work, waiting: 0 };
    this.flights.set(key, flight);
    const land = (): void => this.remove(key, flight);
    work.then(land, land);
    return flight;
  }

  private wait(key: string, flight: Flight<T>, signal: AbortSignal): Promise<T> {
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal.reason as Error);
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
