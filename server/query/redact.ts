/** Rows in, RedactedResult out: the only value the encoders take, so no row leaves the engine without passing here. */
import { ServiceError } from '#contract/errors';
import type { OutputColumn } from '../compiler/compiled-query';
import type { StoreRows } from '../stores/store';

/** `none` hides nothing, and still passes through `redact`. */
export interface RedactionPolicy {
  readonly kind: 'none';
}

declare const redacted: unique symbol;

/** Only `redact()` makes one. */
export interface RedactedResult extends StoreRows {
  readonly [redacted]: true;
  readonly fields: readonly OutputColumn[];
  /** Whether a policy other than `none` was applied. */
  readonly isRedacted: boolean;
}

/**
 * The policy that a request asks for.
 * @throws ServiceError `header_invalid`: a caller who asks for protection that this version cannot give gets no rows at all.
 */
export function redactionPolicy(isAsked: boolean): RedactionPolicy {
  if (isAsked) throw new ServiceError('header_invalid', 'PII redaction is not available in this version.');
  return { kind: 'none' };
}

export function redact(fields: readonly OutputColumn[], rows: StoreRows, policy: RedactionPolicy): RedactedResult {
  const isRedacted = policy.kind !== 'none';
  return { ...rows, fields, isRedacted } as RedactedResult;
}
