/** Opens the store. The only call that makes an Engine instead of using one. */
import type { Engine } from '../engine';
import type { EngineContext } from '../context';
import type { EngineOptions } from '../messages';
import { createRunQueue } from '../run-queue';

export async function openEngine(
  context: EngineContext,
  options: EngineOptions,
  onProblem: (message: string, cause: unknown) => void
): Promise<Engine> {
  return {
    store: await context.openStore(options, onProblem),
    compiler: context.compiler,
    queue: createRunQueue(options.maxConcurrentQueries, options.maxConcurrentAdhoc),
    definitions: new Map(),
    former: [],
  };
}
