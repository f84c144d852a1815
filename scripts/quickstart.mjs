/**
 * From a fresh clone to answers: installs, builds, starts the server on 127.0.0.1:8080 with its data in ./data, fills
 * an empty store with a week of sample logs, and prints a token and three calls to paste. Ctrl-C stops it; the data
 * stays.
 *
 *   npm run quickstart
 *   LQE_PORT=9000 LQE_DATA_DIR=/tmp/logs npm run quickstart -- --edge-requests 20000
 *   npm run quickstart -- --profile hosted
 *
 * --edge-requests N: size of the sample (default 210000); events of the other sources come on top in proportion.
 * --profile NAME: `standard`, or `hosted` for the tables of the hosted service (examples/hosted), with its data in
 *   ./data-hosted.
 */
import { readFlags } from './quickstart/flags.mjs';
import { choosePlace, endpointId, runScript, ScriptError } from './quickstart/place.mjs';
import { profileSettings } from './quickstart/profile.mjs';
import { startServer } from './processes/server-process.mjs';
import { setup } from './setup.mjs';

const DEFAULT_EDGE_REQUESTS = '210000';
const MAX_EDGE_REQUESTS = 50_000_000;

await runScript(quickstart);

async function quickstart() {
  const { edgeRequests, settings } = readChoices();
  await setup({ purpose: 'serve' });
  const { readSampleState, nextLoad } = await import('./quickstart/sample-state.mjs');
  const { isStoreEmpty } = await import('./quickstart/store-emptiness.mjs');
  const { quickstartToken } = await import('./quickstart/quickstart-token.mjs');

  const { url, dataDir, sourcesFile, env } = await choosePlace({
    script: 'quickstart',
    defaults: settings,
    isStoreEmbedded: true,
  });
  const load = nextLoad({
    state: readSampleState(dataDir),
    isEmpty: await isStoreEmpty({ dataDir, sourcesFile }),
    nowMicros: Date.now() * 1000,
    edgeRequests,
  });
  const token = await quickstartToken(dataDir);

  const server = startServer({ env, onStop: () => console.log('\nStopping ...') });
  if (!(await server.ready(url))) return server.stopping.aborted ? server.ended : 1;
  try {
    await prepare({ server, url, token, dataDir, load });
  } catch (error) {
    if (!server.stopping.aborted) {
      server.stop();
      await server.ended;
      throw error;
    }
  }
  return server.ended;
}

/**
 * Everything between a server that is ready and the lines to paste.
 *
 * @param {object} options
 * @param {import('./processes/server-process.mjs').ServerProcess} options.server
 * @param {string} options.url
 * @param {string} options.token
 * @param {string} options.dataDir
 * @param {import('./quickstart/sample-state.mjs').SampleState | undefined} options.load
 */
async function prepare({ server, url, token, dataDir, load }) {
  const { writeSampleState } = await import('./quickstart/sample-state.mjs');
  const { loadSampleLogs } = await import('./quickstart/sample-load.mjs');
  const { curlLines } = await import('./quickstart/curl-lines.mjs');

  if (load) {
    writeSampleState(dataDir, load);
    const started = Date.now();
    const stored = await loadSampleLogs({ url, token, sample: load, stopping: server.stopping });
    if (server.stopping.aborted) return;
    writeSampleState(dataDir, { ...load, isComplete: true });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`Loaded ${stored.toLocaleString('en-US')} sample events of nine sources in ${seconds} s.`);
  }
  const logsAllId = await endpointId({ url, token, name: 'logs.all' });
  console.log(`\nServing on ${url} with data in ${dataDir}\n\nToken: ${token}\n`);
  console.log(`Open the console: ${url}/#token=${token}\n\nOr paste one of these into a shell:`);
  for (const { title, line } of curlLines({ url, token, logsAllId })) console.log(`\n# ${title}\n${line}`);
  console.log('\nCtrl-C stops the server; the data stays.');
}

function readChoices() {
  const flags = readFlags({
    script: 'quickstart',
    flags: {
      'edge-requests': {
        value: 'N',
        default: DEFAULT_EDGE_REQUESTS,
        description: 'edge requests of the sample; events of the other sources come on top',
      },
      profile: {
        value: 'NAME',
        default: 'standard',
        description: 'standard, or hosted for the tables of the hosted service',
      },
    },
  });
  const count = Number(flags['edge-requests']);
  if (!Number.isInteger(count) || count < 1 || count > MAX_EDGE_REQUESTS) {
    throw new ScriptError(`--edge-requests must be a whole number from 1 to ${MAX_EDGE_REQUESTS}.`);
  }
  return { edgeRequests: count, settings: profileSettings(flags.profile ?? '') };
}
