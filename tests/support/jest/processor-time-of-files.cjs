/**
 * Processor time of each test file, on Linux: `TEST_PROCESSOR_TIMES=<file> npm test` appends a line with the project,
 * the test file, the seconds of jest's worker, and those of the processes that the file started and that were waited
 * for, separated by tabs.
 */
const { appendFileSync, readFileSync } = require('node:fs');
const { relative } = require('node:path');

const { TEST_PROCESSOR_TIMES: TARGET } = process.env;
/** Of the times in /proc. */
const TICKS_PER_SECOND = 100;
/** Places of utime, stime, cutime and cstime behind the name of the program, see proc(5). */
const [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [11, 12, 13, 14];

/**
 * @param {string} project
 * @param {string} path
 * @returns {() => void} to be called when the file has ended
 */
exports.reportProcessorTime = (project, path) => {
  if (TARGET === undefined) return () => undefined;
  const before = seconds();
  return () => {
    const spent = seconds().map((now, index) => (now - (before[index] ?? 0)).toFixed(2));
    appendFileSync(TARGET, `${[project, relative(process.cwd(), path), ...spent].join('\t')}\n`);
  };
};

/** @returns {number[]} of this process, and of its children that have ended */
function seconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  /** @param {number[]} places */
  const sum = (...places) => places.reduce((total, place) => total + (fields[place] ?? 0), 0) / TICKS_PER_SECOND;
  return [sum(USER, SYSTEM), sum(CHILDREN_USER, CHILDREN_SYSTEM)];
}
