/**
 * From a fresh clone to answers: installs, builds, starts the server on 127.0.0.1:8080 with its data in ./data, fills an empty store
 * with a week of sample logs, and prints a token and three calls to paste. Ctrl-C stops it; the data stays.
 *
 *   npm run quickstart
 *   LQE_PORT=9000 LQE_DATA_DIR=/tmp/logs npm run quickstart -- --edge-requests 20000
 *
 * --edge-requests N: size of the sample (default 210000); events of the other sources come on top in proportion.
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, serverVariables, startServer } from './server-process.mjs';
import { ROOT, setup } from './setup.mjs';

const DEFAULT_EDGE_REQUESTS = '210000';
const MAX_EDGE_REQUESTS = 50_000_000;

/** A reason to stop that the person at the terminal can do something about. */
class QuickstartError extends Error {}

/** Failures of the service that carry their reason too: a wrong setting, a broken definition, a locked store. */
const TOLD_BY_NAME = ['ConfigError', 'DefinitionsError', 'ServiceError'];

try {
  process.exitCode = await quickstart();
} catch (error) {
  const isTold = error instanceof QuickstartError || TOLD_BY_NAME.includes(error.name);
  console.error(isTold ? error.message : error);
  process.exitCode = 1;
}

async function quickstart() {
  const edgeRequests = readFlags();
  await setup({ purpose: 'serve' });
  const { readSampleState, nextLoad } = await import('./quickstart/sample-state.mjs');
  const { isStoreEmpty } = await import('./quickstart/store-emptiness.mjs');
  const { quickstartToken } = await import('./quickstart/quickstart-token.mjs');

  const { host, port, dataDir, sourcesFile } = await choosePlace();
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const load = nextLoad({
    state: readSampleState(dataDir),
    isEmpty: await isStoreEmpty({ dataDir, sourcesFile }),
    nowMicros: Date.now() * 1000,
    edgeRequests,
  });
  const token = await quickstartToken(dataDir);

  const server = startServer({ env: serverEnv({ host, port, dataDir }), onStop: () => console.log('\nStopping ...') });
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

/** Everything between a server that is ready and the lines to paste. */
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
  console.log(`\nServing on ${url} with data in ${dataDir}\n\nToken: ${token}\n\nPaste one of these into a shell:`);
  for (const { title, line } of curlLines({ url, token, logsAllId })) console.log(`\n# ${title}\n${line}`);
  console.log('\nCtrl-C stops the server; the data stays.');
}

async function endpointId({ url, token, name }) {
  const answer = await fetch(new URL(`/api/endpoints/${name}`, url), { headers: { 'X-API-KEY': token } });
  if (!answer.ok) throw new QuickstartError(`The saved query ${name} is not served (status ${answer.status}).`);
  return (await answer.json()).result.id;
}

function readFlags() {
  const { values } = parseArgs({ options: { 'edge-requests': { type: 'string', default: DEFAULT_EDGE_REQUESTS } } });
  const count = Number(values['edge-requests']);
  if (!Number.isInteger(count) || count < 1 || count > MAX_EDGE_REQUESTS) {
    throw new QuickstartError(`--edge-requests must be a whole number from 1 to ${MAX_EDGE_REQUESTS}.`);
  }
  return count;
}

async function choosePlace() {
  const { envToConfig, readEnv } = await import('../build/server/config.js');
  const { listen, files } = envToConfig(readEnv(serverVariables()));
  const port = await freePort(listen.host, listen.port);
  if (port === undefined) {
    throw new QuickstartError(
      `Port ${listen.port} on ${listen.host} is in use. Stop what uses it, or choose another: LQE_PORT=8081 npm run quickstart`
    );
  }
  return {
    host: listen.host,
    port,
    dataDir: resolve(ROOT, files.dataDir),
    sourcesFile: resolve(ROOT, files.sourcesFile),
  };
}

/** Less talk than `npm start`, unless told otherwise. */
function serverEnv({ host, port, dataDir }) {
  return {
    LQE_HOST: host,
    LQE_PORT: String(port),
    LQE_DATA_DIR: dataDir,
    LQE_LOG_LEVEL: process.env.LQE_LOG_LEVEL ?? 'warn',
  };
}
