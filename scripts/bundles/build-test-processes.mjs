/** Bundles the programs of tests/support/processes: tests start hundreds of them. */
import { join } from 'node:path';
import { bundleForNode } from './bundle-for-node.mjs';
import { EXTERNAL } from './build-server.mjs';

const FOLDER = join('tests', 'support', 'processes');
const PROGRAMS = ['engine-main', 'server-main', 'store-writer', 'store-sealer', 'full-disk-sealer', 'full-disk-writer'];

await Promise.all(
  PROGRAMS.map((name) =>
    bundleForNode(join(FOLDER, `${name}.ts`), join('build', FOLDER, `${name}.js`), { external: EXTERNAL })
  )
);
