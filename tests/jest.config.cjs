/** All tests: projects of the server and of the plugin's backend, and `plugin` and `workbench` in a browser. */
const { availableParallelism } = require('node:os');
const server = require('../server/jest.config.cjs');
const backend = require('../backend/jest.config.cjs');
const plugin = require('../jest.config.js');
const workbench = {
  ...backend.projects.find(({ displayName }) => displayName === 'backend-host'),
  displayName: 'workbench',
  testMatch: ['<rootDir>/tests/workbench/**/*.test.ts'],
};

module.exports = {
  rootDir: server.rootDir,
  reporters: server.reporters,
  testTimeout: server.testTimeout,
  testSequencer: '<rootDir>/tests/support/slow-first.cjs',
  // Many tests wait for processes of their own: even two processors have work for two at a time.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  projects: [...server.projects, ...backend.projects, plugin, workbench],
};
