/** Requests that cost an engine process are refused for a while, before they reach the next one. */
import { createHash } from 'node:crypto';
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/query';

export interface Refusals {
  add(fingerprint: string, error: ServiceError): void;
  /** @throws ServiceError: the error of then, with `details.retry_after_seconds`. */
  ensureAllowed(fingerprint: string): void;
}

/** The oldest are forgotten first. */
const MAX_REFUSALS = 1000;

/** @param now milliseconds of a clock that never goes back. */
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
 * Ad-hoc text is the same request whatever its parameters: they are easily varied. A saved query is told apart by its
 * parameters, so that one caller's values do not close it to the others.
 */
export function fingerprintOf({ endpointId, adhoc, parameters }: QueryRequest): string {
  const identity = adhoc ? [endpointId, adhoc.language, adhoc.text] : [endpointId, parameters];
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64');
}
