/** Sets of saved queries and sources that the quickstart can begin with. */
import { ScriptError } from './place.mjs';

/** Each has a data folder of its own, since one field has different types in them. */
const PROFILES = {
  standard: {},
  hosted: {
    LQE_ENDPOINTS_DIR: './examples/hosted/endpoints',
    LQE_SOURCES_FILE: './examples/hosted/sources.yaml',
    LQE_DATA_DIR: './data-hosted',
  },
};

/**
 * Settings of a profile; the environment replaces each of them.
 *
 * @param {string} name
 * @returns {Record<string, string>}
 * @throws ScriptError when there is no such profile
 */
export function profileSettings(name) {
  if (!isProfile(name)) {
    throw new ScriptError(`--profile must be one of ${Object.keys(PROFILES).join(', ')}.`);
  }
  return PROFILES[name];
}

/**
 * @param {string} name
 * @returns {name is keyof typeof PROFILES}
 */
function isProfile(name) {
  return Object.hasOwn(PROFILES, name);
}
