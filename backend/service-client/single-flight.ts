/** Single flight: equal concurrent calls share one run, which is aborted when the last caller aborts. */
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

  function join(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const current = flights.get(key);
    if (current) return current;
    const controller = new AbortController();
    const flight: Flight<T> = { controller, callers: 0, result: start(controller.signal) };
    flights.set(key, flight);
    const settle = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(settle, settle);
    return flight;
  }

  return {
    run: (key, signal, start) =>
      new Promise<T>((resolve, reject) => {
        signal.throwIfAborted();
        const flight = join(key, start);
        flight.callers++;
        const onAbort = (): void => {
          signal.removeEventListener('abort', onAbort);
          const reason: unknown = signal.reason;
          reject(reason);
          if (--flight.callers > 0) return;
          // Later calls must not join a flight that is being aborted.
          if (flights.get(key) === flight) flights.delete(key);
          flight.controller.abort(reason);
        };
        signal.addEventListener('abort', onAbort);
        flight.result.then(
          (value) => {
            signal.removeEventListener('abort', onAbort);
            resolve(value);
          },
          (error: Error) => {
            signal.removeEventListener('abort', onAbort);
            reject(error);
          }
        );
      }),
  };
}
