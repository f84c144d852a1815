/**
 * Prints a tree as canonical text, which is compared and shown but never sent to a store: upper-case keywords, one
 * blank between tokens, parentheses and backticks only where necessary. Parsing the text gives the same tree, except
 * for positions.
 */
import type { QueryExpression } from '../../ast/queries';
import { printExpression } from './expressions/print-expression';
import { printQuery } from './query/print-query';
import type { CanonicalPrinter } from './printer';

const PRINTER: CanonicalPrinter = {
  expression: (expression, level) => printExpression(PRINTER, expression, level),
  query: (query) => printQuery(PRINTER, query),
};

export function printCanonical(query: QueryExpression): string {
  return PRINTER.query(query);
}
