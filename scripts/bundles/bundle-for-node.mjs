/** A TypeScript file with all it imports as one file for Node, `.proto` texts included. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourceOf } from '../../tools/own-imports.cjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {string} entry
 * @param {string} outfile
 * @param {{ minify?: boolean, external?: string[], sourcemap?: boolean }} options `external`: packages that stay
 *   outside; `sourcemap`: whether a map lies beside the file
 */
export function bundleForNode(entry, outfile, { minify = false, external = [], sourcemap = false } = {}) {
  return build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: resolve(ROOT, outfile),
    bundle: true,
    external,
    sourcemap: sourcemap ? 'external' : false,
    sourcesContent: false,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    minifySyntax: minify,
    minifyWhitespace: minify,
    // Names are kept as they are, for stacks. `keepNames` would set the name of each function whenever one is created.
    minifyIdentifiers: false,
    legalComments: minify ? 'linked' : 'none',
    loader: { '.proto': 'text' },
    plugins: [ownImports],
    logLevel: 'warning',
    // The configuration of `src` extends a package that is not installed for the service alone.
    logOverride: { 'tsconfig.json': 'silent' },
  });
}

/**
 * `#contract/…` and the like name compiled code for Node; a bundle takes the sources.
 *
 * @type {import('esbuild').Plugin}
 */
const ownImports = {
  name: 'own-imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^#/ }, ({ path }) => {
      const source = sourceOf(path);
      return source === undefined ? undefined : { path: source };
    });
  },
};
