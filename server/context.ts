/** The live things a request needs, built once and passed as an argument. */
import type { Logger } from 'pino';
import type { Source } from '#contract/source';
import type { Clock } from './clock';
import type { Config } from './config';
import type { Definitions } from './definitions/definitions';
import type { EngineClient } from './engine/client';
import { type Admission, createAdmission } from './http/admission';
import { Lifecycle } from './http/lifecycle';
import { createSlots, type Slots } from './http/slots';
import { createStoreCheck, type StoreCheck } from './http/store-check';
import { createRunQuery, type RunQuery } from './run-query';
import type { TokenStore } from './tokens/token-store';

export interface AppContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly engine: EngineClient;
  readonly sources: readonly Source[];
  readonly definitions: Definitions;
  readonly tokens: TokenStore;
  readonly runQuery: RunQuery;
  readonly runSlots: Slots;
  readonly ingestSlots: Slots;
  readonly admission: Admission;
  readonly storeCheck: StoreCheck;
  readonly lifecycle: Lifecycle;
}

export type ContextParts = Pick<
  AppContext,
  'config' | 'logger' | 'clock' | 'engine' | 'sources' | 'definitions' | 'tokens'
>;

/** Puts given parts together; tests bring their own engine. */
export function assembleContext(parts: ContextParts): AppContext {
  const { runs, ingest } = parts.config;
  const runSlots = createSlots(runs);
  return {
    ...parts,
    runQuery: createRunQuery(parts.engine, runSlots),
    runSlots,
    ingestSlots: createSlots({
      maxRunning: ingest.maxRunning,
      maxRunningPerToken: ingest.maxRunning,
      maxRunningAdhoc: ingest.maxRunning,
      maxRunningBackground: ingest.maxRunning,
      maxWaiting: ingest.maxRunning * 8,
      maxWaitingPerToken: ingest.maxRunning * 8,
    }),
    admission: createAdmission(parts.config.rates, parts.clock),
    storeCheck: createStoreCheck(parts.engine, parts.clock),
    lifecycle: new Lifecycle(),
  };
}
