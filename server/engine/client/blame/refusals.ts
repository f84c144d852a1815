/** Refuses requests that ended an engine process for a while, before they reach the next process. */
import { createHash } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/queries/query';

export interface Refusals {
  add(fingerprint: string, error: ServiceError): void;
  /** @throws ServiceError: the former error of the request, with `details.retry_after_seconds`. */
  ensureAllowed(fingerprint: string): void;
}

/** The oldest are evicted first. */
const MAX_REFUSALS = 1000;

/** @param now reads a monotonic clock in milliseconds. */
export function createRefusals(refusalMs: number, now: () => number): Refusals {
  const entries = new Map<string, { readonly error: ServiceError; readonly until: number }>();
  return {
    add(fingerprint, error) {
      entries.delete(fingerprint);
      entries.set(fingerprint, { error, until: now() + refusalMs });
      const [oldest] = entries.keys();
      if (entries.size > MAX_REFUSALS && oldest !== undefined) entries.delete(oldest);
    },
    ensureAllowed(fingerprint) {
      const entry = entries.get(fingerprint);
      if (!entry) return;
      const restMs = entry.until - now();
      if (restMs <= 0) {
        entries.delete(fingerprint);
        return;
      }
      const { code, message, details } = entry.error;
      throw new ServiceError(code, `${message} It is refused for a while.`, {
        ...details,
        retry_after_seconds: Math.ceil(restMs / 1000),
      });
    },
  };
}

/**
 * Fingerprint of a request. For ad-hoc text it ignores the parameters, since they are easily varied. For a saved query
 * it includes them, so that the values of one caller do not block the query for others. The same text reads other
 * events for another tenant. A definition that was changed is allowed again.
 */
export function fingerprintOf({ endpointId, definition, tenant, adhoc, parameters }: QueryRequest): string {
  const identity = [endpointId, definition, tenant, ...(adhoc ? [adhoc.language, adhoc.text] : [parameters])];
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64');
}
