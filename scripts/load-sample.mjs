/**
 * Fills a running server with the sample logs: a week at first, at later runs the time since the last. For containers, where the server
 * is not this script's child; `npm run quickstart` does the same beside its own server.
 *
 *   LQE_URL=http://127.0.0.1:8080 LQE_TOKEN=... node scripts/load-sample.mjs [folder that remembers the last load]
 */
import { loadSampleLogs } from './quickstart/sample-load.mjs';
import { nextLoad, readSampleState, writeSampleState } from './quickstart/sample-state.mjs';

const EDGE_REQUESTS = 60_000;

const { LQE_URL: url, LQE_TOKEN: token } = process.env;
if (!url || !token) {
  console.error('LQE_URL and LQE_TOKEN must be set.');
  process.exit(1);
}
const folder = process.argv[2] ?? '.';
const state = readSampleState(folder);
const load = nextLoad({
  state,
  isEmpty: state === undefined,
  nowMicros: Date.now() * 1000,
  edgeRequests: EDGE_REQUESTS,
});
if (load) {
  writeSampleState(folder, load);
  const stored = await loadSampleLogs({ url, token, sample: load, stopping: new AbortController().signal });
  writeSampleState(folder, { ...load, isComplete: true });
  console.log(`Loaded ${stored} sample events.`);
}
