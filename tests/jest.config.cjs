/** Every test there is: the server's projects, those of the plugin's backend, `plugin`, the data source's browser part, and `workbench`, both in a browser. */
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
  projects: [...server.projects, ...backend.projects, plugin, workbench],
};
