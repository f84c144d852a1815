/**
 * Binds a call of a saved query, or of a text in its sandbox, to what the engine is asked and to its place in the
 * cache.
 */
import type { AdhocText, ResultFormat, TimestampStyle } from '#contract/queries/query';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { QueryKeyInput } from '../../../cache/cache-key';
import type { CachePolicy } from '../../../cache/cached-result';
import { definitionDigest } from '../../../catalog/definitions/definition-digest';
import type { Principal } from '../../../catalog/tokens/principal';
import type { NameValue } from '../../parsing/query-string';
import { bindParameters } from './bind-parameters';

/** A call that was read, and not bound yet. */
export interface UnboundCall {
  readonly definition: SavedQuery;
  /** Null: the saved query itself. */
  readonly adhoc: AdhocText | null;
  readonly entries: readonly NameValue[];
  readonly format: ResultFormat;
  readonly timestamps: TimestampStyle;
  readonly meta: boolean;
  readonly redact: boolean;
  /** The caller wants the result outside of the cache, as for one that is requested once. @default false */
  readonly noStore?: boolean;
  /** Fewer rows than the saved query and the token allow. @default those */
  readonly maxRows?: number;
  /** Fewer bytes than the saved query allows. @default those */
  readonly maxBytes?: number;
}

export interface BoundCall {
  readonly queryRequest: QueryKeyInput;
  readonly policy: CachePolicy;
  /** Names of parameters that the saved query does not declare. */
  readonly ignored: readonly string[];
}

/** @throws ServiceError those of `bindParameters` */
export function bindCall(
  { policy }: Principal,
  tenant: string | null,
  { definition, adhoc, entries, maxRows = Infinity, maxBytes = Infinity, noStore = false, ...options }: UnboundCall
): BoundCall {
  const bound = { fixed_parameters: policy.fixed_parameters, tenant };
  const { values, ignored } = bindParameters(definition, entries, bound, { reserved: ['sql', 'lql'] });
  const queryRequest: QueryKeyInput = {
    endpointId: definition.id,
    revision: definition.revision,
    definition: definitionDigest(definition),
    parameters: values,
    adhoc,
    tenant,
    format: options.format,
    timestamps: options.timestamps,
    meta: options.meta,
    redact: options.redact || definition.redact_pii || policy.force_redaction,
    maxRows: Math.min(definition.max_rows, policy.max_rows ?? definition.max_rows, maxRows),
    maxBytes: Math.min(definition.max_bytes, maxBytes),
    timeoutMs: definition.timeout_ms,
  };
  const isUncached = noStore && (adhoc !== null || hasFreeTime(definition, policy));
  return { queryRequest, policy: cachePolicy(definition, adhoc !== null, isUncached), ignored };
}

/**
 * Ad-hoc results are cached like those of saved queries but not refreshed in advance: they are seldom requested again.
 */
function cachePolicy(definition: SavedQuery, isAdhoc: boolean, isUncached: boolean): CachePolicy {
  return {
    endpoint: definition.name,
    cacheSeconds: isUncached ? 0 : (definition.cache_seconds ?? 0),
    warmSeconds: isAdhoc ? 0 : (definition.warm_seconds ?? 0),
  };
}

/**
 * Whether each call can name another time. Otherwise the cache protects the store from equal calls, and a caller cannot
 * leave it.
 */
function hasFreeTime({ parameters }: SavedQuery, { fixed_parameters: fixed }: Principal['policy']): boolean {
  return parameters.some(
    ({ name, type, format, enum: choices }) =>
      (type === 'timestamp' || format === 'iso8601') && choices === undefined && !Object.hasOwn(fixed, name)
  );
}
