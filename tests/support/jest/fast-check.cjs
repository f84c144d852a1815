/**
 * fast-check with one seed for every property, so that a run of the tests depends on the code alone. `FC_SEED=random`
 * gives each run a seed of its own, `FC_SEED=<number>` repeats one that a failed property reported. Every import of
 * `fast-check` in a test is this file.
 *
 * With the one seed a property that wants many runs gets a part of them, the same ones each time; with another seed,
 * with `FC_RUNS` or with `FC_SHARE=1` it gets all.
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

/** Surrogates, of which no string of `binary` has one alone. */
const [SURROGATES, AFTER_SURROGATES] = [0xd800, 0xe000];
const LAST = 0x10ffff;

/**
 * The unit `binary` of fast-check, with the same strings. That one writes down all 1.1 million characters to find the
 * number of one, which takes half a second in each file.
 */
const binary = fc.nat({ max: LAST - (AFTER_SURROGATES - SURROGATES) }).map(
  (at) => String.fromCodePoint(at < SURROGATES ? at : at + AFTER_SURROGATES - SURROGATES),
  (text) => {
    const [character, ...others] = typeof text === 'string' ? text : '';
    if (character === undefined || others.length > 0 || !character.isWellFormed()) throw new Error('not a character');
    const point = character.codePointAt(0) ?? 0;
    return point < SURROGATES ? point : point - (AFTER_SURROGATES - SURROGATES);
  }
);

/** @param {import('fast-check').StringConstraints} [constraints] */
function string(constraints) {
  return fc.string(constraints?.unit === 'binary' ? { ...constraints, unit: binary } : constraints);
}

const changed = { assert, string };
module.exports = Object.defineProperty({ ...fc, ...changed, default: { ...fc.default, ...changed } }, '__esModule', {
  value: true,
});
