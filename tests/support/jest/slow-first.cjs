/**
 * Order of test files: a file that takes ten seconds or more names its seconds on two cores in its first comment
 * (`@slow 40`), and the slowest begin first, so that none of them runs alone at the end while the other processors
 * wait.
 *
 * A file that waits most of the time says that too (`@waits`). `npm test` runs those one by one beside the others: with
 * `FILES_THAT_WAIT=only` they are all that is run, with `FILES_THAT_WAIT=none` they are left out.
 */
const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');
const { extract, parse } = require('jest-docblock');

const WANTED = process.env.FILES_THAT_WAIT;

module.exports = class SlowFirst extends Sequencer {
  /**
   * @override
   * @param {import('@jest/test-result').Test[]} tests
   */
  async sort(tests) {
    const words = new Map(tests.map((test) => [test, firstComment(test.path)]));
    const wanted = tests.filter((test) => !WANTED || 'waits' in (words.get(test) ?? {}) === (WANTED === 'only'));
    const sorted = await super.sort(wanted);
    /** @param {import('@jest/test-result').Test} test */
    const seconds = (test) => Number(words.get(test)?.slow ?? 0);
    return sorted.sort((a, b) => seconds(b) - seconds(a));
  }

  /**
   * Projects share an id, but a file takes a time of its own in each of them.
   *
   * @override
   * @param {import('@jest/test-result').Test['context']} context
   */
  _getCachePath(context) {
    return `${super._getCachePath(context)}-${context.config.displayName?.name}`;
  }
};

/** @param {string} path */
function firstComment(path) {
  return parse(extract(readFileSync(path, 'utf8')));
}
