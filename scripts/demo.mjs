/**
 * A service that looks like one in use: installs, builds, starts the server on 127.0.0.1:8080 with its data in
 * ./data/demo, fills the last seven days with sample events of all nine sources, and goes on sending a few a second
 * until it is stopped. So dashboards and alert rules have something to show at any time. A later run fills the time in
 * between. Ctrl-C stops everything; the data stays.
 *
 *   npm run demo
 *   LQE_PORT=9000 LQE_DATA_DIR=/tmp/demo npm run demo -- --days 1
 *
 * --days N: how far back to fill, 0 to 30 (default 7). --seed N: another seed, other events (default 1).
 */
import { join } from 'node:path';
import { readFlags } from './quickstart/flags.mjs';
import { choosePlace, endpointId, runScript, ScriptError } from './quickstart/place.mjs';
import { startServer } from './processes/server-process.mjs';
import { setup } from './setup.mjs';

/** The rest of the fill goes on beside the live events. */
const FILL_MS = 20_000;
const MAX_DAYS = 30;

await runScript(demo);

async function demo() {
  const choices = readChoices();
  await setup({ purpose: 'serve' });
  const { quickstartToken } = await import('./quickstart/quickstart-token.mjs');
  const { runDemo } = await import('../build/server/cli/demo/run-demo.js');

  const place = await choosePlace({ script: 'demo', defaults: { LQE_DATA_DIR: join('data', 'demo') } });
  const { url, dataDir, env } = place;
  // Grafana gets this token, too: it may not change anything.
  const token = await quickstartToken(dataDir, ['query', 'adhoc', 'ingest', 'endpoints:read']);
  const server = startServer({ env, onStop: () => console.log('\nStopping ...') });
  if (!(await server.ready(url))) return server.stopping.aborted ? server.ended : 1;
  const ending = new AbortController();
  server.stopping.addEventListener('abort', () => ending.abort());
  void server.ended.then(() => ending.abort());
  const { signal } = ending;
  try {
    /** @param {LiveFacts} facts */
    const onLive = (facts) =>
      void printNextSteps({ url, token, dataDir, facts }).catch((error) => console.error(error.message));
    await runDemo({ ...choices, url, token, folder: dataDir, fillMs: FILL_MS, signal, onLive, onNote: console.log });
  } catch (error) {
    server.stop();
    await server.ended;
    throw error;
  }
  return server.ended;
}

/**
 * @typedef {Parameters<import('../build/server/cli/demo/run-demo.js').DemoOptions['onLive']>[0]} LiveFacts
 * @param {{ url: string, token: string, dataDir: string, facts: LiveFacts }} options
 */
async function printNextSteps({ url, token, dataDir, facts }) {
  const { curlLines } = await import('./quickstart/curl-lines.mjs');
  const logsAllId = await endpointId({ url, token, name: 'logs.all' });
  if (facts.stored > 0)
    console.log(`Stored ${facts.stored.toLocaleString('en-US')} sample events of the time before now.`);
  if (!facts.isFillComplete)
    console.log('Older hours grow denser in the background; until then charts of a day or a week rise.');
  console.log(
    `\nServing on ${url} with data in ${dataDir}, and sending live events of nine sources.\n\nToken: ${token}`
  );
  console.log('\nPaste one of these into a shell:');
  for (const { title, line } of curlLines({ url, token, logsAllId })) console.log(`\n# ${title}\n${line}`);
  console.log(
    `\nIn Grafana: build the data source with "npm run build:plugin", add it with the URL ${url} and the token above, then import the` +
      `\ndashboards on its page (docs/grafana.md). "docker compose up" does all of this, with Grafana on http://localhost:3000.`
  );
  console.log('\nCtrl-C stops the server and the events; the data stays.');
}

function readChoices() {
  const flags = readFlags({
    script: 'demo',
    flags: {
      days: { value: 'N', default: '7', description: `days before now to fill, 0 to ${MAX_DAYS}` },
      seed: { value: 'N', default: '1', description: 'another seed makes other events' },
    },
  });
  const [days, seed] = [Number(flags.days), Number(flags.seed)];
  if (!(days >= 0 && days <= MAX_DAYS)) throw new ScriptError(`--days must be a number from 0 to ${MAX_DAYS}.`);
  if (!Number.isInteger(seed) || seed < 0 || seed > 2 ** 31 - 1)
    throw new ScriptError('--seed must be a whole number from 0 to 2147483647.');
  return { days, seed };
}
