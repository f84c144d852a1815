/**
 * Of the machine that runs the tests: where its Node is. Grafana's counterpart is `node_path` in the plugin's section of grafana.ini,
 * which arrives as this variable.
 */
export const EXTRA_ENV: Readonly<Record<string, string>> = { GF_PLUGIN_NODE_PATH: process.execPath };
