/** Opens the store. The only call that creates an `Engine` instead of using one. */
import type { Engine } from '../engine';
import type { EngineContext, StoreEvents } from '../context';
import type { EngineOptions } from '../../protocol/messages';
import { KnownDefinitions } from '../known-definitions';
import { createRunQueue } from '../run-queue';
import { TextTurns } from '../text-turns';

export async function openEngine(context: EngineContext, options: EngineOptions, events: StoreEvents): Promise<Engine> {
  return {
    store: await context.openStore(options, events),
    compiler: context.compiler,
    queue: createRunQueue(options.maxConcurrentQueries, options.maxConcurrentAdhoc),
    texts: new TextTurns(),
    definitions: new KnownDefinitions(),
  };
}
