/**
 * Tests of the data source's browser part, beside the sources in `src/`. The server's are in server/jest.config.cjs;
 * tests/jest.config.cjs runs all.
 */
const grafana = require('./.config/jest.config');

const [[scripts, transform]] = Object.entries(grafana.transform);

module.exports = {
  ...grafana,
  rootDir: __dirname,
  displayName: 'plugin',
  moduleNameMapper: {
    ...grafana.moduleNameMapper,
    '^fast-check$': '<rootDir>/tests/support/fast-check.cjs',
    '^#contract/(.*)$': '<rootDir>/contract/$1',
  },
  // Some packages under @grafana/ui hold ES modules under the name .mjs only.
  transform: { [scripts]: transform, '^.+\\.mjs$': transform },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/'],
};
