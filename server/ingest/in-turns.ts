/** Runs long work on the server's thread in turns, so that other requests are served between. */
import { setImmediate } from 'node:timers/promises';

/** Maximum length of a turn in milliseconds, as far as the work yields. */
const TURN_MS = 5;

/** Runs a generator to its end. @param visit called with each yielded value */
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
