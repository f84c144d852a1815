/**
 * Compiles each module once per worker, and not once per test file: jest evaluates all modules again for each file, and
 * V8 keeps what it compiled of a `vm.Script`, but not of the functions that jest compiles.
 */
const vm = require('node:vm');

/** @typedef {NonNullable<import('node:vm').ScriptOptions['importModuleDynamically']>} Importer */

const { compileFunction } = vm;
/** @type {Map<string, { head: string, code: string, script: vm.Script }>} By the name of the module's file. */
const compiled = new Map();
/** @type {Map<string, Importer | undefined>} Of the modules of the present test file. */
const importers = new Map();

/**
 * @param {string} code
 * @param {readonly string[]} [parameters]
 * @param {import('node:vm').CompileFunctionOptions} [options]
 * @returns {ReturnType<typeof compileFunction>}
 */
function compileOnce(code, parameters = [], options = {}) {
  const { filename, parsingContext, importModuleDynamically } = options;
  if (filename === undefined || parsingContext === undefined) return compileFunction(code, parameters, options);
  importers.set(filename, /** @type {Importer | undefined} */ (importModuleDynamically));
  const head = `(function (${parameters.join(',')}) {`;
  let module = compiled.get(filename);
  if (module?.code !== code || module.head !== head) {
    module = { head, code, script: scriptOf(head, code, filename) };
    compiled.set(filename, module);
  }
  return module.script.runInContext(parsingContext);
}

/**
 * @param {string} head
 * @param {string} code
 * @param {string} filename
 */
function scriptOf(head, code, filename) {
  return new vm.Script(`${head}${code}\n})`, {
    filename,
    // Positions in the first line are those in `code`.
    columnOffset: -head.length,
    importModuleDynamically: (...given) => {
      const load = importers.get(filename);
      if (typeof load !== 'function') throw new Error(`${filename} belongs to a test file that has ended.`);
      return load(...given);
    },
  });
}

vm.compileFunction = compileOnce;

/** Forgets what holds a test file's environment. */
module.exports = { endFile: () => importers.clear() };
