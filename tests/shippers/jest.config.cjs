/** Real log shippers against the built service: `npm run test:shippers`, never part of `npm test`. */
const { nodeProject, rootDir } = require('../jest-node.cjs');

module.exports = {
  ...nodeProject('contract', 'server'),
  rootDir,
  displayName: 'shippers',
  testMatch: ['<rootDir>/tests/shippers/*.test.ts'],
  // Shippers wait for seconds before they send again.
  testTimeout: 240_000,
  maxWorkers: 2,
};
