/**
 * `npm run build:plugin` where nothing is installed: it installs all packages, those for development too, before it
 * builds.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './script-process';

it('the plugin build installs what a fresh clone lacks, and explains a failure of the installation', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'lqe-clone-'));
  try {
    for (const part of ['scripts', 'package.json', 'package-lock.json'])
      cpSync(join(ROOT, part), join(clone, part), { recursive: true });
    // Stands in for npm: writes down how it was called, and fails.
    const bin = join(clone, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$@" > '${join(clone, 'called')}'\nexit 3\n`);
    chmodSync(join(bin, 'npm'), 0o755);
    const child = spawn(process.execPath, ['scripts/plugin/build.mjs'], {
      cwd: clone,
      env: { PATH: `${bin}:${process.env.PATH}` },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, text }).toEqual({
      code: 1,
      text: 'Installing packages ...\nnpm ci failed; its own words are above.\n',
    });
    expect(readFileSync(join(clone, 'called'), 'utf8').trim()).toBe('ci --no-audit --no-fund');
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});
