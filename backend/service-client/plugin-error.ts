/** The one class for failures we expect. Anything else that is thrown is our bug. The renderers are in `services/`. */
import type { ErrorCode, Position } from '#contract/errors';
import type { ResourceError } from '#contract/plugin/resources';

/** Codes of the service, and those of what lies between it and us. */
export type FailureCode =
  | ErrorCode
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'cancelled'
  | 'not_the_service'
  | 'service_too_old'
  | 'settings_invalid'
  | 'macro_invalid'
  | 'variable_unresolved'
  | 'query_incomplete'
  | 'shape_unfit'
  | 'result_cut'
  | 'result_unreadable';

export interface FailureFacts {
  /** HTTP status for Grafana. */
  readonly status: number;
  /** `plugin` is our own bug; all else, settings and queries included, is `downstream`. @default 'downstream' */
  readonly source?: 'downstream' | 'plugin';
  readonly reason?: string;
  readonly position?: Position;
  readonly hint?: string;
  /** Under which the service has logged the request. */
  readonly requestId?: string;
  /** When the service will take the call again. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export class PluginError extends Error {
  readonly code: FailureCode;
  readonly facts: FailureFacts;

  /** @param sentence ends with a full stop; names nothing secret. */
  constructor(code: FailureCode, sentence: string, facts: FailureFacts) {
    super(sentence, { cause: facts.cause });
    this.name = 'PluginError';
    this.code = code;
    this.facts = facts;
  }

  /** The sentence with place, hint and request id: what a panel shows. */
  get told(): string {
    const { position, hint, requestId } = this.facts;
    const place = position ? ` (line ${position.line}, column ${position.column})` : '';
    const base = position ? `${this.message.replace(/\.$/, '')}${place}.` : this.message;
    const parts = [base];
    if (hint) parts.push(`Hint: ${hint.replace(/\.$/, '')}.`);
    if (requestId) parts.push(`Request id: ${requestId}.`);
    return parts.join(' ');
  }

  toResource(): ResourceError {
    const { reason, position, hint, requestId } = this.facts;
    return { code: this.code, message: this.message, reason, position, hint, requestId };
  }
}
