/** Runs a saved query, or ad-hoc text in its sandbox, when one of the places is free. */
import { runQuery } from '../../query/run-query';
import { boundDefinition, type CallHandler } from '../engine';

/** The wait for the writer ends with the deadline: a run that goes on after it costs the process. */
function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}

export const run: CallHandler<'run'> = async (engine, { request, signal, onStage }) => {
  const arrived = performance.now();
  const leave = await engine.queue.enter(request.adhoc !== null, signal);
  try {
    // Whoever sent events and was told that they are stored finds them.
    await orAborted(engine.store.catchUp(), signal);
    const context = {
      compile: engine.compiler.compile,
      store: engine.store,
      definition: boundDefinition(engine, request.endpointId, request.definition),
      queueMs: performance.now() - arrived,
      onStage,
    };
    const { bytes, ...facts } = await runQuery(context, request, signal);
    // The place is held until the pipe has the bytes: a reader that lags holds back further results.
    return { value: facts, body: bytes, onSent: leave };
  } catch (error) {
    leave();
    throw error;
  }
};
