/**
 * fast-check with one seed for every property, so that a run of the tests depends on the code alone. `FC_SEED=random` gives each run a
 * seed of its own, `FC_SEED=<number>` repeats one that a failed property reported. Every import of `fast-check` in a test is this file.
 *
 * With the one seed a property that wants many runs gets a part of them, the same ones each time; with another seed, with `FC_RUNS` or
 * with `FC_SHARE=1` it gets all.
 */
const fc = require('../../../node_modules/fast-check/lib/cjs/fast-check.js');

const { FC_SEED = '20261122' } = process.env;
const areAllWanted = process.env.FC_SEED !== undefined || process.env.FC_RUNS !== undefined;
const share = Number(process.env.FC_SHARE ?? (areAllWanted ? 1 : 0.25));
const FEW = 40;
const RUNS_BY_DEFAULT = 100;

if (FC_SEED !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FC_SEED) });

/**
 * @param {any} property
 * @param {import('fast-check').Parameters<any>} [given]
 * @returns {any}
 */
function assert(property, given) {
  const wanted = given?.numRuns ?? RUNS_BY_DEFAULT;
  const numRuns = Math.min(wanted, Math.max(FEW, Math.ceil(wanted * share)));
  return fc.assert(property, { ...given, numRuns });
}

module.exports = Object.defineProperty({ ...fc, assert, default: { ...fc.default, assert } }, '__esModule', {
  value: true,
});
