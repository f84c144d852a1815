/** Paths of the machine and the build for the host. Both are run from the project's root. */
import path from 'node:path';

/** Where the tests and benchmarks have the plugin built. */
export const PLUGIN_FOLDER = path.resolve('build', 'plugin');

/**
 * Of the machine that runs the tests: where its Node is. Grafana's counterpart is `node_path` in the plugin's section
 * of grafana.ini, which arrives as this variable.
 */
export const EXTRA_ENV: Readonly<Record<string, string>> = { GF_PLUGIN_NODE_PATH: process.execPath };
