/** Long work on the thread that serves all callers, done in turns. */
import { setImmediate } from 'node:timers/promises';

/** Longest time for which the work holds the thread, milliseconds, as far as it yields. */
const TURN_MS = 5;

/** Runs a generator to its end. @param visit gets what it yields */
export async function inTurns<Y, T>(work: Generator<Y, T>, visit: (item: Y) => void = () => undefined): Promise<T> {
  let until = performance.now() + TURN_MS;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    visit(step.value);
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + TURN_MS;
  }
}
