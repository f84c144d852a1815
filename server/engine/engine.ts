/** The open engine: what the calls work on. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/saved-query';
import { definitionDigest } from '../definitions/definition-digest';
import type { LogStore } from '../stores/store';
import type { Compiler } from './context';
import type { AnswerValue, EngineCallKind, EngineCalls, RunStage } from './messages';
import type { RunQueue } from './run-queue';

export interface Engine {
  readonly store: LogStore;
  readonly compiler: Compiler;
  readonly queue: RunQueue;
  /** By id. Only definitions that compile. */
  definitions: ReadonlyMap<string, SavedQuery>;
  /** Sets that were in force before, the last one first: calls that were bound for them may still be on their way. */
  former: readonly ReadonlyMap<string, SavedQuery>[];
}

/** One call as its handler sees it. */
export interface EngineCall<K extends EngineCallKind> {
  readonly request: EngineCalls[K]['request'];
  readonly body: Uint8Array;
  /** Aborts at the deadline and when the server cancels; the reason is the ServiceError to answer. */
  readonly signal: AbortSignal;
  readonly onStage: (stage: RunStage) => void;
}

export interface EngineReply<K extends EngineCallKind> {
  readonly value: AnswerValue<K>;
  readonly body?: Uint8Array;
  /** Called when the pipe has taken the answer. */
  readonly onSent?: () => void;
}

export type CallHandler<K extends EngineCallKind> = (
  engine: Engine,
  call: EngineCall<K>
) => EngineReply<K> | Promise<EngineReply<K>>;

/** The definition in force. @throws ServiceError `endpoint_not_found` */
export function definitionOf(engine: Engine, endpointId: string): SavedQuery {
  const definition = engine.definitions.get(endpointId);
  if (!definition) throw new ServiceError('endpoint_not_found', 'There is no such saved query.');
  return definition;
}

/**
 * The very definition that a call was bound for. @throws ServiceError `endpoint_not_found`; `backend_unavailable` when it was replaced
 * too long ago
 */
export function boundDefinition(engine: Engine, endpointId: string, digest: string): SavedQuery {
  for (const set of [engine.definitions, ...engine.former]) {
    const definition = set.get(endpointId);
    if (definition && definitionDigest(definition) === digest) return definition;
  }
  definitionOf(engine, endpointId);
  throw new ServiceError('backend_unavailable', 'The saved query was replaced during the call; send it again.');
}
