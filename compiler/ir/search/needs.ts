/** Builds conditions on texts. `undefined` is no condition: any row may meet it. */
import type { NeedOf, TextTest } from '../../output/query-search';

/** A test of a column of a relation. */
export interface ColumnTest extends TextTest {
  readonly relation: number;
}

export type Need = NeedOf<ColumnTest>;

/** More alternatives take longer than reading the rows. */
const MAX_ALTERNATIVES = 32;
const MAX_TESTS = 64;

/** Each of the needs. */
export function allOf<Test extends TextTest>(needs: readonly (NeedOf<Test> | undefined)[]): NeedOf<Test> | undefined {
  const known = needs.filter((need) => need !== undefined);
  return known.length > 1 ? { kind: 'all', of: known } : known[0];
}

/** At least one of the needs. */
export function anyOf<Test extends TextTest>(needs: readonly (NeedOf<Test> | undefined)[]): NeedOf<Test> | undefined {
  if (needs.length > MAX_ALTERNATIVES) return undefined;
  const known = needs.filter((need) => need !== undefined);
  if (known.length < needs.length) return undefined;
  return known.length > 1 ? { kind: 'any', of: known } : known[0];
}

/** The need with each test replaced; any row meets a test that is replaced by undefined. */
export function mapTests<From extends TextTest, To extends TextTest>(
  need: NeedOf<From>,
  replace: (test: From) => To | undefined
): NeedOf<To> | undefined {
  if (need.kind === 'text') return replace(need);
  const mapped = need.of.map((one) => mapTests(one, replace));
  return need.kind === 'all' ? allOf(mapped) : anyOf(mapped);
}

/** Leaves out conditions until few tests are left. */
export function bounded<Test extends TextTest>(need: NeedOf<Test>): NeedOf<Test> | undefined {
  if (countTests(need) <= MAX_TESTS) return need;
  if (need.kind !== 'all') return undefined;
  let tests = 0;
  return allOf(
    need.of.filter((one) => {
      const count = countTests(one);
      if (tests + count > MAX_TESTS) return false;
      tests += count;
      return true;
    })
  );
}

export function countTests<Test extends TextTest>(need: NeedOf<Test>): number {
  return need.kind === 'text' ? 1 : need.of.reduce((sum, one) => sum + countTests(one), 0);
}
