/**
 * Tests of the data source's browser part, beside the sources in `src/`. tests/jest.config.cjs runs them with all others.
 */
const grafana = require('./.config/jest.config');
const { jestMapper } = require('./tools/own-imports.cjs');

const [[scripts, transform]] = Object.entries(grafana.transform);

module.exports = {
  ...grafana,
  rootDir: __dirname,
  displayName: 'plugin',
  moduleNameMapper: {
    ...grafana.moduleNameMapper,
    '^fast-check$': '<rootDir>/tests/support/jest/fast-check.cjs',
    ...jestMapper,
  },
  // Some packages under @grafana/ui hold ES modules under the name .mjs only.
  transform: { [scripts]: transform, '^.+\\.mjs$': transform },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/'],
};
