/**
 * Test projects of the server: `unit` needs nothing built; the others start the built server and engine. The cases of `conformance` run on
 * DuckDB, and in `conformance-clickhouse` once more on ClickHouse, with those that compare both stores.
 */
const rootDir = require('node:path').resolve(__dirname, '..');

const base = {
  rootDir,
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  moduleNameMapper: {
    '^#contract/(.*)$': '<rootDir>/contract/$1',
    '^#server/(.*)$': '<rootDir>/server/$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/'],
};

module.exports = {
  rootDir,
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
      // These compile only.
      testPathIgnorePatterns: ['/kept-plans', '/default-table'],
      setupFiles: ['<rootDir>/tests/support/on-clickhouse.cjs'],
    },
  ],
};
