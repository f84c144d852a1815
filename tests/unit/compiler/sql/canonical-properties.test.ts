/** A printed tree reads as the same tree, for arbitrary trees and for every accepted text of the corpus. */
import fc from 'fast-check';
import { DEFINITION_LIMITS } from '#compiler/sql/parse-limits';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';
import { printCanonical } from '#compiler/sql/canonical/print-canonical';
import { arbitraryQuery } from '../../../support/arbitrary/syntax/query';
import { ACCEPTED, CANONICAL } from '../../../support/cases/sql/parser';
import { withoutPositions } from '../../../support/references/without-positions';

/** Arbitrary trees are wider than what people write. */
const WIDE = {
  ...DEFINITION_LIMITS,
  maxDepth: 400,
  maxNodes: 1_000_000,
  maxJoins: 10_000,
  maxSetBranches: 10_000,
  maxCommonTables: 10_000,
  maxSubqueries: 10_000,
  maxPipeOperators: 10_000,
};

test('any tree that is printed and read again is the same tree', () => {
  fc.assert(
    fc.property(arbitraryQuery, (tree) => {
      const again = parseStatement(printCanonical(tree), WIDE);
      expect(withoutPositions(again)).toEqual(withoutPositions(tree));
    }),
    { numRuns: 1_000 }
  );
});

test.each(CANONICAL)('%s has its canonical text', (text, canonical) => {
  expect(printCanonical(parseStatement(text))).toBe(canonical);
});

test.each([...ACCEPTED.map(([, text]) => text), ...CANONICAL.map(([text]) => text)])(
  '%s prints as a text that reads as the same tree and prints the same',
  (text) => {
    const tree = parseStatement(text);
    const printed = printCanonical(tree);
    const again = parseStatement(printed);
    expect(withoutPositions(again)).toEqual(withoutPositions(tree));
    expect(printCanonical(again)).toBe(printed);
  }
);
