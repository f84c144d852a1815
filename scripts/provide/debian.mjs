/**
 * Packages of Debian that tests need: one installation after another, as apt asks for, and no service is ever started.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { run } from '../processes/run.mjs';

/** @type {Promise<number> | null} */
let lists = null;
let last = Promise.resolve();

/**
 * Does nothing where this is not allowed; who needs a package looks whether it is there.
 *
 * @param {readonly string[]} packages
 */
export function installFromDebian(packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return Promise.resolve();
  last = last.then(async () => {
    lists ??= aptGet('update');
    await lists;
    const allowServices = forbidServices();
    await aptGet('install', '-y', '--no-install-recommends', ...packages);
    allowServices();
  });
  return last;
}

/** @param {readonly string[]} args */
function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return run('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A package must not start a service of its own. @returns a function that takes the prohibition away again */
function forbidServices() {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return () => undefined;
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  return () => rmSync(policy, { force: true });
}
