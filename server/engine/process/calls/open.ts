/** Opens the store. The only call that creates an `Engine` instead of using one. */
import { ServiceError } from '#contract/errors';
import type { LogStore } from '../../../stores/store';
import type { Engine } from '../engine';
import type { EngineContext, StoreEvents } from '../context';
import type { EngineOptions } from '../../protocol/messages';
import { KnownDefinitions } from '../known-definitions';
import { createRunSemaphore } from '../run-semaphore';
import { TextTurns } from '../text-turns';

export async function openEngine(context: EngineContext, options: EngineOptions, events: StoreEvents): Promise<Engine> {
  return {
    store: await openStore(context, options, events),
    compiler: context.compiler,
    runPermits: createRunSemaphore(options.maxConcurrentQueries, options.maxConcurrentAdhoc),
    texts: new TextTurns(),
    definitions: new KnownDefinitions(),
  };
}

async function openStore(context: EngineContext, options: EngineOptions, events: StoreEvents): Promise<LogStore> {
  try {
    return await context.openStore(options, events);
  } catch (error) {
    // The reply to the server has no cause, so the log gets it.
    if (error instanceof ServiceError && error.cause !== undefined)
      events.onProblem('the store cannot be opened', error);
    throw error;
  }
}
