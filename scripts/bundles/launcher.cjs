#!/usr/bin/env node
/**
 * Runs the bundle of the same name with the code that V8 made of it when it was built. Where that is missing, or was
 * made by another version of Node, V8 compiles the bundle as it would any file.
 */
const { existsSync, readFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

const filename = __filename.replace(/\.js$/, '.bundle.js');
const code = `${filename}.code`;
// The bundle has no characters beyond ASCII, and V8 keeps such a text in half the memory.
const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'latin1')}\n})`;
const script = new Script(source, { filename, ...(existsSync(code) && { cachedData: readFileSync(code) }) });
script.runInThisContext().call(exports, exports, require, module, filename, dirname(filename));
