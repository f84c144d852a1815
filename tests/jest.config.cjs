/** Every test there is: the server's projects, those of the plugin's backend, and `plugin`, the data source's browser part. */
const server = require('../server/jest.config.cjs');
const backend = require('../backend/jest.config.cjs');
const plugin = require('../jest.config.js');

module.exports = { rootDir: server.rootDir, projects: [...server.projects, ...backend.projects, plugin] };
