/** Flags of a script that people start by hand. */
import { parseArgs } from 'node:util';
import { ScriptError } from './place.mjs';

/**
 * Reads flags that take a value. `--help` prints the usage and ends the process.
 *
 * @param {{ script: string, flags: Record<string, { value: string, default: string, description: string }> }} options
 *   name of the npm script, and its flags without `--`
 * @returns {Record<string, string>}
 * @throws ScriptError with the usage, for a flag that there is not
 */
export function readFlags({ script, flags }) {
  const usage = usageOf(script, flags);
  const values = parse(flags, usage);
  if (values['help'] === true) {
    console.log(usage);
    process.exit(0);
  }
  return Object.fromEntries(Object.keys(flags).map((name) => [name, String(values[name])]));
}

/**
 * @param {Record<string, { default: string }>} flags
 * @param {string} usage
 * @returns {Record<string, unknown>}
 */
function parse(flags, usage) {
  try {
    /** @type {import('node:util').ParseArgsConfig['options']} */
    const options = { help: { type: 'boolean', short: 'h' } };
    for (const [name, flag] of Object.entries(flags)) options[name] = { type: 'string', default: flag.default };
    return parseArgs({ options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ScriptError(`${error.message.split(/[.\n]/)[0]}.\n\n${usage}`);
  }
}

/**
 * @param {string} script
 * @param {Record<string, { value: string, default: string, description: string }>} flags
 */
function usageOf(script, flags) {
  const lines = Object.entries(flags).map(([name, flag]) => [
    `--${name} ${flag.value}`,
    `${flag.description} (default ${flag.default})`,
  ]);
  const width = Math.max(...lines.map(([left = '']) => left.length));
  return [
    `Usage: npm run ${script} -- [flags]`,
    '',
    ...lines.map(([left = '', right]) => `  ${left.padEnd(width)}  ${right}`),
  ].join('\n');
}
