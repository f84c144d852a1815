/**
 * All tests. `unit`, `backend`, `docs` and `plugin` need nothing built; the other projects start the built server,
 * engine or plugin. `conformance` runs its cases on DuckDB, and `conformance-clickhouse` once more on ClickHouse, with
 * those that compare both stores. `plugin` runs in jsdom, `workbench` and `console` in Chromium. `shippers`,
 * `reference` and `console-python` are not part of `npm test`.
 */
const { availableParallelism } = require('node:os');
const grafana = require('./.config/jest.config');
const { jestMapper } = require('./tools/own-imports.cjs');

const rootDir = __dirname;

/**
 * Names of the language that modules get as parameters: jest looks up each use of a global in an object of its own,
 * which takes a hundred times as long. None that a test replaces, as fake timers do with `Date` and `performance`.
 */
const sandboxInjectedGlobals = [
  ...['Array', 'ArrayBuffer', 'BigInt', 'Boolean', 'DataView', 'Error', 'JSON', 'Math', 'Number'],
  ...['Object', 'Promise', 'RegExp', 'Set', 'String', 'Symbol', 'TypeError', 'Uint8Array', 'WeakMap'],
];

const node = {
  rootDir,
  // Projects with one id share the cache of transformed files.
  id: 'node',
  testEnvironment: 'node',
  testRunner: '<rootDir>/tests/support/jest/circus-runner.cjs',
  sandboxInjectedGlobals,
  transform: {
    '^.+\\.ts$': [
      '<rootDir>/tests/support/jest/transform.cjs',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
    '\\.proto$': '<rootDir>/backend/proto/jest-transform.cjs',
  },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json', 'proto'],
  moduleNameMapper: { '^fast-check$': '<rootDir>/tests/support/jest/fast-check.cjs', ...jestMapper },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/'],
};

const project = (displayName, ...folders) => ({
  ...node,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/tests/${folder}/**/*.test.ts`),
});

const withPlugin = {
  globalSetup: '<rootDir>/tests/backend/support/build-plugin.ts',
  setupFilesAfterEnv: ['<rootDir>/tests/backend/support/patience.ts'],
};

const [[scripts, transform]] = Object.entries(grafana.transform);

/** The data source's browser part, whose tests lie beside the sources, with the scaffold's configuration. */
const plugin = {
  ...grafana,
  rootDir,
  displayName: 'plugin',
  testRunner: node.testRunner,
  setupFilesAfterEnv: [
    '<rootDir>/.config/jest-setup.js',
    '<rootDir>/tests/support/jest/jsdom-fakes.mjs',
    '<rootDir>/tests/support/jest/patience.mjs',
  ],
  moduleNameMapper: { ...grafana.moduleNameMapper, ...node.moduleNameMapper },
  // Some packages under @grafana/ui hold ES modules under the name .mjs only.
  transform: { [scripts]: transform, '^.+\\.mjs$': transform },
  modulePathIgnorePatterns: node.modulePathIgnorePatterns,
};

/** Real shippers, with `npm run test:shippers`. */
const areShippersWanted = process.env.LQE_SHIPPERS_STORE !== undefined;
/** The reference implementation, with `npm run test:reference`. */
const isReferenceWanted = process.env.LQE_REFERENCE_DRIVER !== undefined;
/** Python, with `npm run test:python`. */
const isPythonWanted = process.env.LQE_PYTHON !== undefined;
const optional = [
  ...(isPythonWanted ? [project('console-python', 'console-python')] : []),
  ...(areShippersWanted ? [project('shippers', 'shippers')] : []),
  ...(isReferenceWanted ? [project('reference', 'reference')] : []),
];

module.exports = {
  rootDir,
  reporters: ['default', '<rootDir>/tests/support/jest/comparison-reporter.cjs'],
  // On a busy machine processes take their time, and a slow start is no failure. Shippers wait for seconds before they
  // retry.
  testTimeout: areShippersWanted ? 240_000 : 60_000,
  testSequencer: '<rootDir>/tests/support/jest/slow-first.cjs',
  // Many tests wait for processes of their own: even two processors have work for three files at a time.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  projects:
    optional.length > 0
      ? optional
      : [
          ...['unit', 'conformance', 'integration', 'docs'].map((name) => project(name, name)),
          {
            ...project('conformance-clickhouse', 'conformance', 'conformance-both'),
            // These compile only, or bring a DuckDB of their own.
            testPathIgnorePatterns: ['/plan-cache', '/default-table', '/redaction/source', '/second-parser'],
            setupFiles: ['<rootDir>/tests/support/jest/on-clickhouse.cjs'],
          },
          project('backend', 'backend/unit'),
          { ...project('backend-host', 'backend/plugin'), ...withPlugin },
          { ...project('workbench', 'workbench'), ...withPlugin },
          project('console', 'console'),
          { ...node, displayName: 'console-unit', testMatch: ['<rootDir>/console/src/**/*.test.ts'] },
          plugin,
        ],
};
