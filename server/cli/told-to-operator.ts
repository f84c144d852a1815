/** Failures of a store in the words of the service, then in those of the store. */
import { ServiceError } from '#contract/errors';

/** An operator at a terminal is told what the server said, too: it is theirs. */
export async function toldToOperator<T>(task: Promise<T>): Promise<T> {
  return task.catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    const { hint } = error.details;
    const cause = error.cause instanceof Error && error.cause.message !== '' ? `\n  ${error.cause.message.trim()}` : '';
    throw new Error(`${error.message}${hint === undefined ? '' : ` (${hint})`}${cause}`);
  });
}
