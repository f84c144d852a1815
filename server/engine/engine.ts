/** The open engine that all calls work on. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/saved-query';
import { definitionDigest } from '../catalog/definitions/definition-digest';
import type { LogStore } from '../stores/store';
import type { Compiler } from './context';
import type { AnswerValue, EngineCallKind, EngineCalls, RunStage } from './messages';
import type { RunQueue } from './run-queue';

export interface Engine {
  readonly store: LogStore;
  readonly compiler: Compiler;
  readonly queue: RunQueue;
  /** Definitions that compile, by id. */
  definitions: ReadonlyMap<string, SavedQuery>;
  /** Former definition sets, newest first: calls that were bound for them may still be in flight. */
  former: readonly ReadonlyMap<string, SavedQuery>[];
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

/** The current definition. @throws ServiceError `endpoint_not_found` */
export function definitionOf(engine: Engine, endpointId: string): SavedQuery {
  const definition = engine.definitions.get(endpointId);
  if (!definition) throw new ServiceError('endpoint_not_found', 'There is no such saved query.');
  return definition;
}

/**
 * The exact definition that a call was bound for. @throws ServiceError `endpoint_not_found`; `backend_unavailable` when
 * it was replaced too long ago
 */
export function boundDefinition(engine: Engine, endpointId: string, digest: string): SavedQuery {
  for (const set of [engine.definitions, ...engine.former]) {
    const definition = set.get(endpointId);
    if (definition && definitionDigest(definition) === digest) return definition;
  }
  definitionOf(engine, endpointId);
  throw new ServiceError('backend_unavailable', 'The saved query was replaced during the call; send it again.');
}
