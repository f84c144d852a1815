/**
 * Order of test files: a file that takes ten seconds or more names its seconds on two cores in its first comment
 * (`@slow 40`), and the slowest begin first, so that none of them runs alone at the end while the other processors wait.
 */
const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');
const { extract, parse } = require('jest-docblock');

module.exports = class SlowFirst extends Sequencer {
  /**
   * @override
   * @param {import('@jest/test-result').Test[]} tests
   */
  async sort(tests) {
    const seconds = new Map(tests.map((test) => [test, secondsOf(test.path)]));
    const sorted = await super.sort(tests);
    return sorted.sort((a, b) => (seconds.get(b) ?? 0) - (seconds.get(a) ?? 0));
  }
};

/** @param {string} path */
function secondsOf(path) {
  return Number(parse(extract(readFileSync(path, 'utf8'))).slow ?? 0);
}
