/**
 * Test projects of the server: `unit` needs nothing built; the others start the built server and engine. The cases of `conformance` run on
 * DuckDB, and in `conformance-clickhouse` once more on ClickHouse, with those that compare both stores.
 */
const { nodeProject, rootDir } = require('../tests/jest-node.cjs');

const base = nodeProject('contract', 'server');

module.exports = {
  rootDir,
  // On a busy machine processes take their time, and a slow start is no failure.
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/tests/support/comparison-reporter.cjs'],
  projects: [
    ...['unit', 'conformance', 'integration', 'docs'].map((name) => ({
      ...base,
      displayName: name,
      testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
    })),
    {
      ...base,
      displayName: 'conformance-clickhouse',
      testMatch: ['<rootDir>/tests/conformance/**/*.test.ts', '<rootDir>/tests/conformance-both/**/*.test.ts'],
      // These compile only, or bring a DuckDB of their own.
      testPathIgnorePatterns: ['/plan-cache', '/default-table', '/redaction/source'],
      setupFiles: ['<rootDir>/tests/support/on-clickhouse.cjs'],
    },
  ],
};
