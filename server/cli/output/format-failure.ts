/** Failures of a command for the operator. */
import { ServiceError } from '#contract/errors';

/** The message, with the hint and the code of an expected failure. */
export function formatFailure(error: unknown): string {
  if (error instanceof ServiceError) {
    const { hint } = error.details;
    return `${error.message} (${error.code})${hint === undefined ? '' : `\n  hint: ${hint}`}`;
  }
  return error instanceof Error ? error.message : String(error);
}
