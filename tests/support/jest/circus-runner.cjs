/**
 * jest's runner of test files, with compiled modules that all files of a worker share, and without what each file
 * leaves behind: an `AsyncLocalStorage`, which Node 20 and 22 keep as long as it is not disabled. With every one of
 * them each promise of the files that follow costs more.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const { default: runFile } = require('jest-circus/runner');
const { reportProcessorTime } = require('./processor-time-of-files.cjs');
const { endFile } = require('./shared-code.cjs');

/** @type {Set<AsyncLocalStorage<unknown>>} */
const used = new Set();
const { run } = AsyncLocalStorage.prototype;

/**
 * @this {AsyncLocalStorage<unknown>}
 * @param {Parameters<typeof run>} given
 */
AsyncLocalStorage.prototype.run = function (...given) {
  used.add(this);
  return run.apply(this, given);
};

/** @param {Parameters<typeof runFile>} given */
module.exports = async (...given) => {
  const [, config, , , path] = given;
  const report = reportProcessorTime(config.displayName?.name ?? '', path);
  try {
    return await runFile(...given);
  } finally {
    report();
    for (const storage of used) storage.disable();
    used.clear();
    endFile();
  }
};
