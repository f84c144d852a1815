/** A TypeScript file with all it imports as one file for Node, `.proto` texts included. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export function bundleForNode(entry, outfile, { minify = false } = {}) {
  return build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: resolve(ROOT, outfile),
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    minify,
    keepNames: true,
    legalComments: minify ? 'linked' : 'none',
    loader: { '.proto': 'text' },
    plugins: [ownImports],
    logLevel: 'warning',
  });
}

/** `#contract/…` and its like are compiled code for Node; here they are the sources. */
const ownImports = {
  name: 'own-imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^#(contract|backend|server)\// }, ({ path }) => ({ path: join(ROOT, `${path.slice(1)}.ts`) }));
  },
};
