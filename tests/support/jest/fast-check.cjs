/**
 * fast-check with one seed for every property, so that a run of the tests depends on the code alone. `FC_SEED=random` gives each run a
 * seed of its own, `FC_SEED=<number>` repeats one that a failed property reported. Every import of `fast-check` in a test is this file.
 */
const fc = require('../../../node_modules/fast-check/lib/cjs/fast-check.js');

const { FC_SEED = '20261122' } = process.env;
if (FC_SEED !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FC_SEED) });

module.exports = fc;
