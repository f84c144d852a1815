/** Where `#contract/…` lives as a source. */
const { resolve } = require('node:path');

module.exports = {
  resolve: {
    alias: { '#contract': resolve(__dirname, '..', 'contract'), '#backend': __dirname },
    extensions: ['.ts', '.js', '.cjs', '.mjs', '.json', '.proto'],
  },
};
