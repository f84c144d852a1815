/** Reports at the end which cases ran on both stores, and which differed. */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { parse } = require('yaml');

const DIFFERENCES = join(__dirname, '..', '..', 'corpus', 'differences.yaml');
const PROJECTS = ['conformance', 'conformance-clickhouse'];

module.exports = class ComparisonReporter {
  /** @type {Map<string, Map<string, string>>} Statuses of the cases of each project. */
  cases = new Map(PROJECTS.map((name) => [name, new Map()]));

  /**
   * @param {import('@jest/reporters').Test} test
   * @param {import('@jest/reporters').TestResult} result
   */
  onTestResult({ path, context: { config } }, { testResults }) {
    const cases = this.cases.get(config.displayName?.name ?? '');
    for (const { fullName, status } of testResults) cases?.set(`${path}: ${fullName}`, status);
  }

  onRunComplete() {
    const [duckDb = new Map(), clickHouse = new Map()] = PROJECTS.map((name) => this.cases.get(name));
    if (duckDb.size === 0 || clickHouse.size === 0) return;
    /** @param {string} name */
    const ran = (name) => duckDb.get(name) === 'passed' && ['passed', 'failed'].includes(clickHouse.get(name) ?? '');
    const both = [...clickHouse.keys()].filter(ran);
    const different = both.filter((name) => clickHouse.get(name) === 'failed');
    /** @type {readonly { file: string, case: string, reason: string }[]} */
    const known = parse(readFileSync(DIFFERENCES, 'utf8')) ?? [];
    const lines = [
      `DuckDB and ClickHouse: ${both.length} cases ran on both; ${different.length} differ without being known to.`,
      ...different.map((name) => `  ${name}`),
      known.length === 0 ? 'Known differences: none.' : 'Known differences:',
      ...known.map(({ file, case: name, reason }) => `  ${file}: ${name}: ${reason}`),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
};
