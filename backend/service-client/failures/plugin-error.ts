/** The class of all expected failures. Anything else that is thrown is a bug. `services/` renders them. */
import type { ErrorCode, Position } from '#contract/errors';
import type { ResourceError } from '#contract/plugin/resources';

/** Codes of the service, and codes for failures to reach it. */
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
  | 'result_unreadable'
  | 'role_missing'
  | 'not_composable';

export interface FailureFacts {
  /** HTTP status reported to Grafana. */
  readonly status: number;
  /**
   * `plugin` for bugs of the plugin; all else, including settings and queries, is `downstream`. @default 'downstream'
   */
  readonly source?: 'downstream' | 'plugin';
  readonly reason?: string;
  readonly position?: Position;
  readonly hint?: string;
  /** Request id in the log of the service. */
  readonly requestId?: string;
  /** Seconds after which the service accepts the call again. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export class PluginError extends Error {
  readonly code: FailureCode;
  readonly facts: FailureFacts;

  /** @param sentence ends with a full stop and contains no secret */
  constructor(code: FailureCode, sentence: string, facts: FailureFacts) {
    super(sentence, { cause: facts.cause });
    this.name = 'PluginError';
    this.code = code;
    this.facts = facts;
  }

  /** The sentence with position, hint and request id, for panels. */
  get userMessage(): string {
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
