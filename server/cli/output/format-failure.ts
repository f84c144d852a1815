/** Failures of a command for the operator. */
import { asSentence } from '#contract/as-sentence';
import { ServiceError } from '#contract/errors';

/** The message as a sentence, with the hint and the code of an expected failure. */
export function formatFailure(error: unknown): string {
  if (error instanceof ServiceError) {
    const { hint } = error.details;
    return `${error.sentence} (${error.code})${hint === undefined ? '' : `\n  hint: ${hint}`}`;
  }
  const message = error instanceof Error ? error.message : String(error);
  // Several lines are lists of problems, or have the words of a store at the end.
  return message.includes('\n') ? message : asSentence(message);
}
