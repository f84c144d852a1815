/**
 * Which sample logs were loaded into a data folder, so that an interrupted load goes on where it was, and a gap since
 * then is filled.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MICROS = 24 * 3600 * 1_000_000;
const FULL_DAYS = 7;
/** A shorter time without sample logs is left as it is. */
const LEAST_GAP_MICROS = DAY_MICROS / 24;

/**
 * @typedef {{ endMicros: number, days: number, edgeRequests: number, seed: number, isComplete: boolean }} SampleState
 * The last load: the options of the sample, and whether all of it was stored.
 */

/**
 * @param {string} dataDir
 * @returns {SampleState | undefined}
 */
export function readSampleState(dataDir) {
  try {
    return JSON.parse(readFileSync(statePath(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} dataDir
 * @param {SampleState} state
 */
export function writeSampleState(dataDir, state) {
  const path = statePath(dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/**
 * What to load now, if anything: the whole week into an empty store, the rest of a load that was interrupted (its
 * events have the same ids, so nothing is stored twice), or the time since the last load at the same density.
 *
 * @param {{ state: SampleState | undefined, isEmpty: boolean, nowMicros: number, edgeRequests: number }} options
 * @returns {SampleState | undefined}
 */
export function nextLoad({ state, isEmpty, nowMicros, edgeRequests }) {
  const whole = { endMicros: nowMicros, days: FULL_DAYS, edgeRequests, seed: 1, isComplete: false };
  if (isEmpty) return whole;
  if (state === undefined) return undefined;
  if (!state.isComplete) return state;
  const gapMicros = nowMicros - state.endMicros;
  if (gapMicros < LEAST_GAP_MICROS) return undefined;
  const days = Math.min(gapMicros / DAY_MICROS, FULL_DAYS);
  const density = state.edgeRequests / state.days;
  return { ...whole, days, edgeRequests: Math.round(density * days), seed: state.seed + 1 };
}

/** @param {string} dataDir */
function statePath(dataDir) {
  return join(dataDir, 'quickstart-sample.json');
}
