/** Equal calls that run at the same time share one run; it is stopped when the last of its callers has gone. */
export interface SingleFlight<T> {
  run(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  callers: number;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function board(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const running = flights.get(key);
    if (running) return running;
    const controller = new AbortController();
    const flight: Flight<T> = { controller, callers: 0, result: start(controller.signal) };
    flights.set(key, flight);
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(land, land);
    return flight;
  }

  return {
    run: (key, signal, start) =>
      new Promise<T>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const flight = board(key, start);
        flight.callers++;
        const leave = (): void => {
          signal.removeEventListener('abort', leave);
          reject(signal.reason as Error);
          if (--flight.callers > 0) return;
          // A later equal call must not join a flight that is being stopped.
          if (flights.get(key) === flight) flights.delete(key);
          flight.controller.abort(signal.reason);
        };
        signal.addEventListener('abort', leave);
        flight.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      }),
  };
}
