/**
 * Opens the pages of the console in a real Firefox with the built server. Never part of `npm test`.
 *
 *   npm run test:firefox
 *   FIREFOX=/opt/firefox/firefox npm run test:firefox
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFirefox } from './firefox/bidi-page.mjs';
import { run } from '../processes/run.mjs';
import { freePort, startServer } from '../processes/server-process.mjs';
import { setup } from '../setup.mjs';

const TOKEN = 'bootstrap-token-for-firefox';
const HOST = '127.0.0.1';
const { FIREFOX = 'firefox-esr' } = process.env;

if ((await run(FIREFOX, ['--version'], { stdio: 'inherit' })) !== 0) {
  console.error(`There is no Firefox at ${FIREFOX}: apt-get install firefox-esr, or set FIREFOX to the path of one.`);
  process.exit(1);
}

await setup();
const dataDir = mkdtempSync(join(tmpdir(), 'lqe-firefox-data-'));
const port = await freePort(HOST, 0);
const url = `http://${HOST}:${port}`;
const server = startServer({
  env: { LQE_HOST: HOST, LQE_PORT: String(port), LQE_DATA_DIR: dataDir, LQE_BOOTSTRAP_TOKEN: TOKEN },
  stdio: 'ignore',
});
try {
  if (!(await server.ready(url))) throw new Error('the server did not start');
  await sendEvents();
  await openPages();
  console.log('All pages work in Firefox.');
} finally {
  server.stop();
  await server.ended;
  rmSync(dataDir, { recursive: true, force: true });
}

async function sendEvents() {
  const events = Array.from({ length: 50 }, (_, n) => ({
    timestamp: new Date(Date.now() - n * 60_000).toISOString(),
    project: 'firefox',
    event_message: `GET | ${n % 9 === 0 ? 500 : 200} | /rest/v1/orders/${n}`,
    metadata: { response: { status_code: n % 9 === 0 ? 500 : 200 } },
  }));
  const answer = await fetch(`${url}/api/logs?source=edge_requests`, {
    method: 'POST',
    headers: { 'X-API-KEY': TOKEN, 'Content-Type': 'application/json' },
    body: JSON.stringify({ batch: events }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function openPages() {
  const page = await openFirefox(FIREFOX);
  const says = (/** @type {string} */ text) => page.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
  const has = (/** @type {string} */ selector) =>
    page.until(`document.querySelector(${JSON.stringify(selector)}) !== null`);
  const press = async (/** @type {string} */ label) => {
    const found = `[...document.querySelectorAll('button')].find((one) => one.textContent === ${JSON.stringify(label)})`;
    await page.until(`${found} !== undefined`);
    await page.evaluate(`${found}.click()`);
  };
  const logs = `${url}/console/queries/logs.all?p.project=firefox`;
  const sql = encodeURIComponent(
    'select rs.status_code, count(*) as n from edge_logs as e, e.metadata.response as rs group by 1'
  );
  try {
    await page.open(`${url}/#token=${TOKEN}`);
    await says('logs.all');
    await page.open(`${logs}&last=24h`);
    await press('Run the saved query');
    await says('50 events in the time range');
    await page.evaluate(`document.querySelector('.log-lines li > button').click()`);
    await press('Lines around');
    await says('20 lines before it');
    await press('Live tail');
    await says('lines/s');
    await page.open(`${logs}&sql=${sql}`);
    await page.until(`document.querySelector('.editor')?.shadowRoot?.querySelector('.token-keyword') !== null`);
    await press('Run this SQL');
    await has('.grid tbody tr[data-index="1"]');
    for (const name of ['sources', 'status']) {
      await page.open(`${url}/console/${name}`);
      await has('h1');
    }
    if (page.errors.length > 0) throw new Error(`Firefox reported: ${page.errors.join('\n')}`);
  } finally {
    page.close();
  }
}
