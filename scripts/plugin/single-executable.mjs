/**
 * A Node binary with the backend inside, for Windows: Grafana starts only `.exe` files there, and a script beside a
 * Node binary is not one. The binary runs the script that is put into it as a resource (Node's "single executable
 * application"); nothing is compiled, so that one platform can make it for another. The signature of the binary is no
 * longer valid afterwards.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'postject';
import { HEAP_FLAGS } from './build-backend.mjs';

/** Where Node looks for it, and what it has in the place until something is put there. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * @param {object} options
 * @param {string} options.node a Node of this machine, of the version of `binary`: it prepares the resource
 * @param {string} options.binary the Node of the platform the package is for
 * @param {string} options.script
 * @param {string} options.workDir
 * @param {string} options.target
 */
export async function makeSingleExecutable({ node, binary, script, workDir, target }) {
  const config = join(workDir, 'sea.json');
  const output = join(workDir, 'sea.blob');
  writeFileSync(
    config,
    JSON.stringify({
      main: script,
      output,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      // A code cache contains machine code of the platform that makes it.
      useCodeCache: false,
      execArgv: HEAP_FLAGS,
    })
  );
  execFileSync(node, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  copyFileSync(binary, target);
  chmodSync(target, 0o755);
  await inject(target, RESOURCE, readFileSync(output), { sentinelFuse: FUSE });
}
