/**
 * A tree to text of this dialect in one fixed form: the reading that others compare with, never what a store is sent.
 * Upper-case words, one blank between tokens, parentheses and backticks only where the text would read differently
 * without them. Reading the text again gives the same tree, positions apart.
 */
import type { QueryExpression } from '../ast/queries';
import { printExpression } from './canonical/print-expression';
import { printQuery } from './canonical/print-query';
import type { CanonicalPrinter } from './canonical/printer';

const PRINTER: CanonicalPrinter = {
  expression: (expression, level) => printExpression(PRINTER, expression, level),
  query: (query) => printQuery(PRINTER, query),
};

export function printCanonical(query: QueryExpression): string {
  return PRINTER.query(query);
}
