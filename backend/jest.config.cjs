/** Test projects of the plugin's backend: `backend` needs nothing built; `backend-host` starts the built executable and server. */
const path = require('node:path');
const rootDir = path.resolve(__dirname, '..');

const base = {
  rootDir,
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
    '\\.proto$': '<rootDir>/backend/proto/jest-transform.cjs',
  },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json', 'proto'],
  moduleNameMapper: {
    '^#contract/(.*)$': '<rootDir>/contract/$1',
    '^#backend/(.*)$': '<rootDir>/backend/$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/'],
};

module.exports = {
  rootDir,
  projects: [
    { ...base, displayName: 'backend', testMatch: ['<rootDir>/tests/backend/unit/**/*.test.ts'] },
    {
      ...base,
      displayName: 'backend-host',
      testMatch: ['<rootDir>/tests/backend/plugin/**/*.test.ts'],
      globalSetup: '<rootDir>/tests/backend/support/build-plugin.ts',
      setupFilesAfterEnv: ['<rootDir>/tests/backend/support/patience.ts'],
    },
  ],
};
