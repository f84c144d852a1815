/** A failed call: what the service says about it, or that it could not be reached. */
import type { ErrorBody, ErrorDetails } from '#contract/errors';

export class Problem extends Error {
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly code: string;
  readonly details: ErrorDetails;

  constructor(status: number, { code, message, details }: { code: string; message: string; details?: ErrorDetails }) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.details = details ?? {};
  }

  /** The token is missing, wrong, expired or revoked. */
  get needsToken(): boolean {
    return this.status === 401;
  }

  get requestId(): string | null {
    const id = this.details['request_id'];
    return typeof id === 'string' ? id : null;
  }
}

/** @param text body of an answer that is not a success; a proxy in between may have sent anything */
export function problemOf(status: number, text: string): Problem {
  try {
    const { error } = JSON.parse(text) as { error: ErrorBody };
    if (typeof error.message === 'string') return new Problem(status, error);
  } catch {
    // Not an answer of the service.
  }
  const message = `The service answered with the status ${status} and no explanation.`;
  return new Problem(status, { code: 'no_explanation', message });
}

export function unreachable(): Problem {
  return new Problem(0, {
    code: 'unreachable',
    message: 'The service does not answer.',
    details: { hint: 'see whether it is running, and whether this page came from its address' },
  });
}
