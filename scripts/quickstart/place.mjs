/** Where a server that a script starts listens and keeps its data, with the token that the script prints. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { freePort, serverVariables } from '../processes/server-process.mjs';
import { ROOT } from '../setup.mjs';

/** A reason to stop that the person at the terminal can do something about. */
export class ScriptError extends Error {}

/** Failures of the service that carry their reason too: a wrong setting, a broken definition, a locked store. */
const EXPECTED_BY_NAME = ['ConfigError', 'DefinitionsError', 'ServiceError', 'ImportError'];

/**
 * Runs the script and sets the exit code; an expected failure is one line, any other has its stack.
 *
 * @param {() => Promise<number>} main
 */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    const isExpected =
      error instanceof ScriptError ||
      (error instanceof Error && (EXPECTED_BY_NAME.includes(error.name) || isOfFile(error)));
    console.error(isExpected ? error.message : error);
    process.exitCode = 1;
  }
}

/**
 * Whether the file system refused a path, which the message names: a data folder that cannot be made.
 *
 * @param {Error} error
 */
function isOfFile(error) {
  return 'code' in error && 'path' in error;
}

/**
 * The server's settings, with a port that is free and a data folder that exists.
 *
 * @param {{ script: string, defaults?: Record<string, string>, isStoreEmbedded?: boolean }} options name of the npm
 *   script, settings that the environment replaces, and whether it needs the embedded store
 * @throws ScriptError
 */
export async function choosePlace({ script, defaults = {}, isStoreEmbedded = false }) {
  const { envToConfig, readEnv } = await import('../../build/server/config.js');
  const { listen, files, store, catalog } = envToConfig(readEnv({ ...defaults, ...serverVariables() }));
  // The token is made in the data folder, and the quickstart asks the store in it whether to load the sample.
  if (catalog !== null || (store !== 'duckdb' && isStoreEmbedded)) {
    const name = catalog === null ? 'LQE_STORE' : 'LQE_CATALOG_URL';
    throw new ScriptError(`npm run ${script} keeps its data in a folder. Unset ${name}, or use npm start.`);
  }
  const port = await freePort(listen.host, listen.port);
  if (port === undefined) {
    throw new ScriptError(
      `Port ${listen.port} on ${listen.host} is in use. Stop what uses it, or choose another: LQE_PORT=8081 npm run ${script}`
    );
  }
  const { host } = listen;
  const dataDir = resolve(ROOT, files.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return {
    dataDir,
    sourcesFile: resolve(ROOT, files.sourcesFile),
    url: `http://${reachable(host)}:${port}`,
    // Less talk than `npm start`, unless LQE_LOG_LEVEL says otherwise.
    env: {
      ...settingsLeftTo(defaults),
      LQE_HOST: host,
      LQE_PORT: String(port),
      LQE_DATA_DIR: dataDir,
      LQE_LOG_LEVEL: process.env.LQE_LOG_LEVEL || 'warn',
    },
  };
}

/**
 * The host of a URL by which this machine reaches a server that listens on `host`.
 *
 * @param {string} host an address or a name; 0.0.0.0 and :: are all addresses of the machine
 * @returns {string}
 */
export function reachable(host) {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The defaults that the environment does not replace.
 *
 * @param {Record<string, string>} defaults
 */
function settingsLeftTo(defaults) {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !process.env[name]));
}

/**
 * @param {{ url: string, token: string, name: string }} options
 * @returns {Promise<string>}
 * @throws ScriptError when the saved query is not served
 */
export async function endpointId({ url, token, name }) {
  const answer = await fetch(new URL(`/api/endpoints/${name}`, url), { headers: { 'X-API-KEY': token } });
  if (!answer.ok) throw new ScriptError(`The saved query ${name} is not served (status ${answer.status}).`);
  const { result } = /** @type {{ result: { id: string } }} */ (await answer.json());
  return result.id;
}
