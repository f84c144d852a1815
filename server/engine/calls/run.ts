/** Runs a saved query, or ad-hoc text in its sandbox, when one of the places is free. */
import { runQuery } from '../../query/run-query';
import { caughtUp } from '../caught-up';
import { boundDefinition, type CallHandler } from '../engine';

export const run: CallHandler<'run'> = async (engine, { request, signal, onStage }) => {
  const arrived = performance.now();
  const leave = await engine.queue.enter(request.adhoc !== null, signal);
  try {
    // Acknowledged events are in the result. The wait ends with the deadline: the server ends a process whose run goes on after it.
    await caughtUp(engine.store, signal);
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
