/** Test projects of the plugin's backend: `backend` needs nothing built; `backend-host` starts the built executable and server. */
const { nodeProject, rootDir } = require('../tests/jest-node.cjs');

const node = nodeProject('contract', 'backend');
const base = {
  ...node,
  transform: { ...node.transform, '\\.proto$': '<rootDir>/backend/proto/jest-transform.cjs' },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json', 'proto'],
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
