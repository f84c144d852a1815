/** Generated queries on the reference and on the stores: see README.md. */
import fc, { type Arbitrary } from 'fast-check';
import { arbitraryCorrelatedQuery } from '../support/arbitrary/queries/correlated-query';
import { arbitraryPlacedCall } from '../support/arbitrary/queries/placed-call';
import { arbitraryRowsQuery } from '../support/arbitrary/queries/rows-query';
import { arbitraryShapedQuery } from '../support/arbitrary/queries/shaped-query';
import { arbitraryWrappedQuery } from '../support/arbitrary/queries/wrapped-query';
import { Sides } from './support/sides';
import { Tally } from './support/tally';

const RUNS = Number(process.env['LQE_REFERENCE_RUNS'] ?? 200);
/** Names of generators; empty for all. */
const ONLY = (process.env['LQE_REFERENCE_ONLY'] ?? '').split(',').filter((name) => name !== '');
const SEED = Number(process.env['LQE_REFERENCE_SEED'] ?? 1);

let sides: Sides;
beforeAll(async () => {
  sides = await Sides.open();
}, 120_000);
afterAll(() => sides.close());

/** Stores add fractions up in an order of their own. */
const TOLERANCE = 1e-12;
/**
 * What has not ended on the reference by then never ends, as a rule: a recursion that has no end. Each costs a new
 * process.
 */
const LIMITS = { tolerance: TOLERANCE, seconds: 5 };

interface Generator {
  readonly name: string;
  readonly arbitrary: Arbitrary<string>;
  /** Runs in the sandbox of logs.all. */
  readonly isAdhoc?: boolean;
}

const GENERATORS: readonly Generator[] = [
  { name: 'calls in places', arbitrary: arbitraryPlacedCall.map(({ sql }) => sql) },
  { name: 'rows', arbitrary: arbitraryRowsQuery },
  { name: 'correlated', arbitrary: arbitraryCorrelatedQuery },
  { name: 'shaped', arbitrary: arbitraryShapedQuery },
  { name: 'wrapped', arbitrary: arbitraryWrappedQuery, isAdhoc: true },
];

const chosen = GENERATORS.filter(({ name }) => ONLY.length === 0 || ONLY.includes(name));
const unknown = ONLY.filter((name) => !GENERATORS.some((generator) => generator.name === name));
if (unknown.length > 0) throw new Error(`no generator has this name: ${unknown.join(', ')}`);

test.each(chosen)(
  '$name: what a store gives, the reference gives',
  async ({ name, arbitrary, isAdhoc = false }) => {
    const tally = new Tally(`generated ${name}`);
    for (const sql of fc.sample(arbitrary, { numRuns: RUNS, seed: SEED }))
      tally.add(sql, await sides.compare(isAdhoc ? { sql } : { sql, parameters: {} }, LIMITS));
    tally.report();
    expect(tally.differences.slice(0, 50)).toEqual([]);
  },
  3_600_000
);
