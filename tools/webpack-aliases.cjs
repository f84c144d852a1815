/** webpack configuration by which dependency-cruiser resolves the project's own imports. */
const { webpackAlias } = require('./own-imports.cjs');

module.exports = {
  resolve: { alias: webpackAlias, extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json', '.proto'] },
};
