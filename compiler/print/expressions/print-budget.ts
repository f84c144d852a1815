/** Limits the size of printed SQL: shared nodes are printed repeatedly, so a small tree can become a large text. */
import { ServiceError } from '#contract/errors';
import type { Expr } from '../../ir/expression';
import { siteOf } from '../../ir/sites';

const MAX_NODES = 100_000;
const MAX_DEPTH = 150;

export class PrintBudget {
  private nodes = 0;
  /** The expressions that are being printed, from the outermost. */
  private readonly path: Expr[] = [];

  /** @param cost of the node itself: 1 for a short text. @throws ServiceError query_too_complex */
  enter(expr: Expr, cost = 1): void {
    this.nodes += cost;
    this.path.push(expr);
    if (this.nodes > MAX_NODES)
      throw this.tooComplex('the query is too large once its expressions are written out', MAX_NODES);
    if (this.path.length > MAX_DEPTH)
      throw this.tooComplex(`an expression is nested more than ${MAX_DEPTH} levels deep`, MAX_DEPTH);
  }

  leave(): void {
    this.path.pop();
  }

  private tooComplex(message: string, maximum: number): ServiceError {
    const site = this.path.map(siteOf).findLast((known) => known !== undefined);
    const position = site && { position: { line: site.line, column: site.column } };
    return new ServiceError('query_too_complex', message, { reason: 'too_complex', maximum, ...position });
  }
}
