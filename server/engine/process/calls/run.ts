/** Runs a saved query, or ad-hoc text in its sandbox, when a permit is free. */
import { runQuery } from '../../query/run-query';
import { besideOthers } from '../beside-others';
import { caughtUp } from '../caught-up';
import { boundDefinition, type CallHandler, type Engine } from '../engine';

export const run: CallHandler<'run'> = async (engine, { request, signal, onStage }) => {
  const arrived = performance.now();
  const isUnreviewed = request.adhoc !== null || request.inline !== undefined;
  const release = await engine.runPermits.acquire(isUnreviewed, signal);
  try {
    // The result contains all acknowledged events. The wait ends at the deadline: the server ends a process whose run
    // continues after it.
    await caughtUp(engine.store, signal);
    const context = {
      compile: isUnreviewed ? inTurn(engine) : engine.compiler.compile,
      store: engine.store,
      definition: request.inline ?? boundDefinition(engine, request.endpointId, request.definition),
      queueMs: performance.now() - arrived,
      onStage,
    };
    if (isUnreviewed) await engine.texts.next(signal);
    const { bytes, ...facts } = await besideOthers(
      () => runQuery(context, request, signal),
      () => engine.runPermits.running,
      signal
    );
    // The permit is released when the pipe has taken the bytes: a slow reader holds back further results.
    return { value: facts, body: bytes, onSent: release };
  } catch (error) {
    release();
    throw error;
  }
};

function inTurn({ compiler, texts }: Engine): Engine['compiler']['compile'] {
  return (request) => texts.measure(() => compiler.compile(request));
}
