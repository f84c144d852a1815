/** Failures of a store for the operator: the service's message, then the store's. */
import { ServiceError } from '#contract/errors';

/** Adds the store's own message, which callers over HTTP never see. */
export async function withOperatorMessage<T>(task: Promise<T>): Promise<T> {
  return task.catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    const { hint } = error.details;
    const cause = error.cause instanceof Error && error.cause.message !== '' ? `\n  ${error.cause.message.trim()}` : '';
    throw new Error(`${error.message}${hint === undefined ? '' : ` (${hint})`}${cause}`);
  });
}
