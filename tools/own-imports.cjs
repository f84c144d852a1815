/**
 * Sources of the project's own imports (`#contract/errors`, `#compiler`): package.json's `imports` name what the build
 * makes of them, and each tool that reads sources takes its form from here.
 */
const { readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const root = resolve(__dirname, '..');
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Pairs of specifier and source path without extension, relative to the root; both end with `/*` for a whole folder.
 */
const sources = Object.entries(imports).map(([name, built]) => [
  name,
  built.replace('./build/', '').replace(/\.js$/, ''),
]);

/** jest's `moduleNameMapper`. */
const jestMapper = Object.fromEntries(
  sources.map(([name, source]) =>
    name.endsWith('/*')
      ? [`^${name.slice(0, -1)}(.*)$`, `<rootDir>/${source.slice(0, -1)}$1`]
      : [`^${name}$`, `<rootDir>/${source}`]
  )
);

/** webpack's `resolve.alias`. A `$` marks an exact name. */
const webpackAlias = Object.fromEntries(
  sources.map(([name, source]) =>
    name.endsWith('/*')
      ? [name.slice(0, -2), join(root, source.slice(0, -2))]
      : [`${name}$`, `${join(root, source)}.ts`]
  )
);

/**
 * @param {string} specifier
 * @returns {string | undefined} path of the TypeScript source, for a specifier of the project's own
 */
function sourceOf(specifier) {
  for (const [name, source] of sources) {
    if (name === specifier) return join(root, `${source}.ts`);
    if (name.endsWith('/*') && specifier.startsWith(name.slice(0, -1))) {
      return join(root, `${source.slice(0, -1)}${specifier.slice(name.length - 1)}.ts`);
    }
  }
  return undefined;
}

/** webpack's `resolve`, by which dependency-cruiser finds them: it reads this file as webpack's configuration. */
const resolveOwn = { alias: webpackAlias, extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json', '.proto'] };

module.exports = { jestMapper, webpackAlias, sourceOf, resolve: resolveOwn };
