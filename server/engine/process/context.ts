/** Parts of the engine. The only file of the process that names a concrete store. */
import { type compile, describe, validateAdhoc, validateDefinition } from '#compiler';
import { createPlanCache } from '../query/plan-cache';
import { openClickHouseStore } from '../../stores/clickhouse/clickhouse-store';
import { openDuckDbStore } from '../../stores/duckdb/duckdb-store';
import type { LogStore, RefusedFields } from '../../stores/store';
import type { EngineOptions } from '../protocol/messages';

export interface StoreEvents {
  /** Reports a problem to the operator. */
  readonly onProblem: (message: string, cause: unknown) => void;
  readonly onRefusedFields: (refused: RefusedFields) => void;
  /** Called when the store works again only in a new process. */
  onBroken(): void;
}

export interface EngineContext {
  readonly openStore: (options: EngineOptions, events: StoreEvents) => Promise<LogStore>;
  readonly compiler: Compiler;
}

export interface Compiler {
  readonly compile: typeof compile;
  readonly validateDefinition: typeof validateDefinition;
  readonly validateAdhoc: typeof validateAdhoc;
  readonly describe: typeof describe;
}

export function createEngineContext(): EngineContext {
  return {
    openStore: ({ clickhouse, ...options }, events) =>
      clickhouse === null
        ? openDuckDbStore({ ...options, ...events, endsWithProcess: true })
        : openClickHouseStore({ ...clickhouse, ...events, sources: options.sources }),
    compiler: { compile: createPlanCache(), validateDefinition, validateAdhoc, describe },
  };
}
