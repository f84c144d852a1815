/**
 * Runs a bundle as the launcher does, in the same wrapper, and when it ends writes the code that V8 has made of it
 * until then.
 *
 *   node record-code.cjs <bundle> <file for the code> <words for the bundle>
 */
const { chmodSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

const [filename = '', target = ''] = process.argv.splice(2, 2);
const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'latin1')}\n})`;
const script = new Script(source, { filename });
process.once('exit', () => {
  writeFileSync(`${target}.new`, script.createCachedData());
  // The engine has changed the umask; another user may run what this one has built.
  chmodSync(`${target}.new`, 0o644);
  renameSync(`${target}.new`, target);
});
const { exports: none } = module;
script.runInThisContext().call(none, none, createRequire(filename), module, filename, dirname(filename));
