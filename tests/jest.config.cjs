/** Every test there is: the server's projects and `plugin`, the data source's browser part. */
const server = require('../server/jest.config.cjs');
const plugin = require('../jest.config.js');

module.exports = { rootDir: server.rootDir, projects: [...server.projects, plugin] };
