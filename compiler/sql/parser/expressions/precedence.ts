/** Precedence of operators, loosest first, shared by parser and canonical printer. */
import type { BinaryOperator } from '../../../ast/expressions';

export const LEVEL = {
  OR: 1,
  AND: 2,
  NOT: 3,
  /** `= != < <= > >=`, LIKE, IN, BETWEEN, IS: they do not chain. */
  COMPARISON: 4,
  BIT_OR: 5,
  BIT_XOR: 6,
  BIT_AND: 7,
  SHIFT: 8,
  SUM: 9,
  PRODUCT: 10,
  UNARY: 11,
  /** Self-contained expressions: literals, names, calls, parentheses. */
  PRIMARY: 12,
} as const;

/** Left-associative operators by symbol. */
export const BINARY_LEVELS: ReadonlyMap<string, { readonly operator: BinaryOperator; readonly level: number }> =
  new Map(
    (
      [
        ['OR', LEVEL.OR],
        ['AND', LEVEL.AND],
        ['|', LEVEL.BIT_OR],
        ['^', LEVEL.BIT_XOR],
        ['&', LEVEL.BIT_AND],
        ['<<', LEVEL.SHIFT],
        ['>>', LEVEL.SHIFT],
        ['+', LEVEL.SUM],
        ['-', LEVEL.SUM],
        ['*', LEVEL.PRODUCT],
        ['/', LEVEL.PRODUCT],
        ['%', LEVEL.PRODUCT],
        ['||', LEVEL.PRODUCT],
      ] as const
    ).map(([operator, level]) => [operator, { operator, level }])
  );

export const COMPARISON_OPERATORS: ReadonlyMap<string, BinaryOperator> = new Map([
  ['=', '='],
  ['!=', '!='],
  ['<>', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);
