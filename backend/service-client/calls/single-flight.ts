/** Single flight: equal concurrent calls share one run, which is aborted when the last caller aborts. */
import { CallController, type CallSignal, throwIfAborted } from './call-signal';

export interface SingleFlight<T> {
  run(key: string, signal: CallSignal, start: (signal: CallSignal) => Promise<T>): Promise<T>;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: CallController;
  callers: number;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function join(key: string, start: (signal: CallSignal) => Promise<T>): Flight<T> {
    const current = flights.get(key);
    if (current) return current;
    const controller = new CallController();
    const flight: Flight<T> = { controller, callers: 0, result: start(controller) };
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
        throwIfAborted(signal);
        const flight = join(key, start);
        flight.callers++;
        const onAbort = (): void => {
          signal.removeEventListener('abort', onAbort);
          const { reason } = signal;
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
