/** Limits the size of printed SQL: shared nodes are printed repeatedly, so a small tree can become a large text. */
import { ServiceError } from '#contract/errors';

const MAX_NODES = 100_000;
const MAX_DEPTH = 150;

export class PrintBudget {
  private nodes = 0;
  private depth = 0;

  /** @param cost of the node itself: 1 for a short text. @throws ServiceError query_too_complex */
  enter(cost = 1): void {
    this.nodes += cost;
    this.depth += 1;
    if (this.nodes > MAX_NODES)
      throw tooComplex('the query is too large once its expressions are written out', MAX_NODES);
    if (this.depth > MAX_DEPTH)
      throw tooComplex(`an expression is nested more than ${MAX_DEPTH} levels deep`, MAX_DEPTH);
  }

  leave(): void {
    this.depth -= 1;
  }
}

function tooComplex(message: string, maximum: number): ServiceError {
  return new ServiceError('query_too_complex', message, { reason: 'too_complex', maximum });
}
