/** Where `#contract/…` and `#server/…` live as sources; package.json's `imports` name what the build makes of them. */
const { resolve } = require('node:path');

module.exports = {
  resolve: {
    alias: { '#contract': resolve(__dirname, '..', 'contract'), '#server': __dirname },
    extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json'],
  },
};
