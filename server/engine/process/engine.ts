/** The open engine that all calls work on. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { LogStore } from '../../stores/store';
import { ensureCompiles } from './calls/definitions/ensure-compiles';
import type { Compiler } from './context';
import type { KnownDefinitions } from './known-definitions';
import type { AnswerValue, EngineCallKind, EngineCalls, RunStage } from '../protocol/messages';
import type { RunSemaphore } from './run-semaphore';
import type { TextTurns } from './text-turns';

export interface Engine {
  readonly store: LogStore;
  readonly compiler: Compiler;
  readonly runPermits: RunSemaphore;
  readonly texts: TextTurns;
  readonly definitions: KnownDefinitions;
}

/** One call with its request, body and signal. */
export interface EngineCall<K extends EngineCallKind> {
  readonly request: EngineCalls[K]['request'];
  readonly body: Uint8Array;
  /** Aborts at the deadline and when the server cancels; the reason is the ServiceError of the reply. */
  readonly signal: AbortSignal;
  readonly onStage: (stage: RunStage) => void;
}

export interface EngineReply<K extends EngineCallKind> {
  readonly value: AnswerValue<K>;
  readonly body?: Uint8Array;
  /** Called when the pipe has taken the reply. */
  readonly onSent?: () => void;
}

export type CallHandler<K extends EngineCallKind> = (
  engine: Engine,
  call: EngineCall<K>
) => EngineReply<K> | Promise<EngineReply<K>>;

/** The current definition. @throws ServiceError `endpoint_not_found`; `definition_invalid` when it does not compile */
export function definitionOf(engine: Engine, endpointId: string): SavedQuery {
  const definition = engine.definitions.get(endpointId);
  if (!definition) throw new ServiceError('endpoint_not_found', 'There is no such saved query.');
  return checked(engine, definition);
}

/**
 * The exact definition that a call was bound for. @throws ServiceError `endpoint_not_found`; `definition_invalid` when
 * it does not compile; `backend_unavailable` when it was replaced too long ago
 */
export function boundDefinition(engine: Engine, endpointId: string, digest: string): SavedQuery {
  const definition = engine.definitions.find(endpointId, digest);
  if (definition) return checked(engine, definition);
  definitionOf(engine, endpointId);
  throw new ServiceError('backend_unavailable', 'The saved query was replaced during the call; send it again.');
}

/** The sources may have changed since a definition was stored. Its text is not the caller's, so no detail is given. */
function checked(engine: Engine, definition: SavedQuery): SavedQuery {
  if (engine.definitions.isChecked(definition)) return definition;
  try {
    ensureCompiles(engine, definition);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new ServiceError(
      'definition_invalid',
      'This saved query no longer fits the sources of the server. GET /api/endpoints/{q} names the problem.',
      { reason: 'outdated' },
      { cause }
    );
  }
  engine.definitions.noteChecked(definition);
  return definition;
}
