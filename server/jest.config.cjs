/** Test projects of the server: `unit` needs nothing built; the others start the built server and engine. */
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
  projects: ['unit', 'conformance', 'integration', 'docs'].map((name) => ({
    ...base,
    displayName: name,
    testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`],
  })),
};
