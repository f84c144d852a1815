/** The console in a real browser: how soon lists, lines, rows and records are on the screen. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ms, type Row } from '../../support/report';
import { createBenchmarkToken, startService, type ServerScripts, type Service } from '../../support/service';
import { summarize } from '../../support/statistics';
import { WATCH } from './watch-page';

const LINES = 1_000;
const TABLE_ROWS = 100_000;
const RUNS = 7;
const VIEWPORT = { width: 1280, height: 900 };
const BARS = { paint: 1_000, lines: 150, open: 1_000, sort: 500, filter: 500, record: 300, task: 50 };

const MANY = {
  id: '7d1a9fd0-0000-4000-8000-00000000c001',
  name: 'bench.many',
  max_rows: TABLE_ROWS,
  max_bytes: 64_000_000,
  timeout_ms: 60_000,
  query: `SELECT n, CONCAT('/rest/v1/path-', CAST(MOD(n * 7919, 1000) AS STRING)) AS path, MOD(n * 31, 997) AS status,
    n / 7 AS latency, TIMESTAMP_SECONDS(1790000000 + n) AS moment, CONCAT('a text of usual length, number ', CAST(n AS STRING)) AS text
    FROM UNNEST(GENERATE_ARRAY(1, ${TABLE_ROWS})) AS n`,
};

export async function measureConsole(scripts: ServerScripts, cacheDir: string): Promise<Row[]> {
  const dataDir = join(cacheDir, 'console');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const token = await createBenchmarkToken(dataDir, 'console', ['query', 'adhoc', 'endpoints:read', 'endpoints:write']);
  const service = await startService(scripts, dataDir, { logLevel: 'error' });
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`there is no Chromium at ${executablePath}; CHROMIUM names another`);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await fill(service, token);
    const page = await openPage(browser, service.url, token);
    return [
      await measureFirstPaint(page, service.url),
      ...(await measureLines(page, service.url)),
      await measureRecord(page, service.url),
      ...(await measureTable(page, service.url)),
    ];
  } finally {
    await browser.close();
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fill({ client, url }: Service, token: string): Promise<void> {
  const now = Date.now();
  const lines = Array.from({ length: LINES }, (_, n) => ({
    timestamp: new Date(now - n * 1000).toISOString(),
    project: 'bench',
    event_message: `GET | ${n % 50 === 0 ? 500 : 200} | 203.0.113.7 | /rest/v1/orders?select=*&id=eq.${n}`,
    metadata: {
      request: { method: 'GET', path: `/rest/v1/orders/${n % 9}`, headers: { user_agent: 'Mozilla/5.0 (X11; Linux)' } },
      response: { status_code: n % 50 === 0 ? 500 : 200, origin_time: n % 300 },
    },
  }));
  const large = {
    timestamp: new Date(now).toISOString(),
    project: 'large',
    event_message: 'm'.repeat(300_000),
    metadata: {
      text: 't'.repeat(500_000),
      list: Array.from({ length: 3000 }, (_, n) => ({ n, text: `element ${n}` })),
    },
  };
  const body = Buffer.from([...lines, large].map((event) => JSON.stringify(event)).join('\n'));
  const { status } = await client.post('/api/logs?source=edge_requests', body, 'application/x-ndjson');
  if (status !== 200) throw new Error(`ingest answered ${status}`);
  const saved = await fetch(`${url}/api/endpoints`, {
    method: 'POST',
    headers: { 'X-API-KEY': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ definition: MANY }),
  });
  if (!saved.ok) throw new Error(await saved.text());
}

async function openPage(browser: Browser, url: string, token: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addInitScript(WATCH);
  const page = await context.newPage();
  page.on('crash', () => {
    throw new Error('the page crashed');
  });
  await page.goto(`${url}/#token=${token}`);
  await page.getByRole('link', { name: 'logs.all' }).waitFor();
  return page;
}

const painted = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(`watch.painted(${JSON.stringify(selector)})`);
const now = (page: Page): Promise<number> => page.evaluate<number>('performance.now()');
const longest = (page: Page): Promise<number> => page.evaluate<number>('watch.longest()');

async function measureFirstPaint(page: Page, url: string): Promise<Row> {
  const durations: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await page.goto(`${url}/console/queries`, { waitUntil: 'commit' });
    durations.push(await painted(page, 'a[href="/console/queries/logs.all"]'));
  }
  return row('console: first useful paint', 'signed in, the list', durations, BARS.paint);
}

const LINES_SELECTOR = '[aria-label="Log lines"] li';

async function measureLines(page: Page, url: string): Promise<Row[]> {
  const sql = `select id, timestamp, event_message, metadata from edge_logs order by timestamp desc limit ${LINES}`;
  const address = `${url}/console/queries/logs.all?p.project=bench&sql=${encodeURIComponent(sql)}`;
  const durations: number[] = [];
  const tasks: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await page.goto(address);
    await page.getByRole('textbox', { name: 'Query text' }).waitFor();
    const whenPainted = painted(page, LINES_SELECTOR);
    await page.getByRole('button', { name: 'Run this SQL' }).click();
    const at = await whenPainted;
    durations.push(at - (await page.evaluate<number>('watch.answeredAt()')));
    await page.waitForTimeout(300);
    tasks.push(await scroll(page, '.log-lines'));
  }
  return [
    row(`console: ${LINES} log lines`, 'answer to paint', durations, BARS.lines),
    row('console: scrolling log lines', 'longest task', tasks, BARS.task),
  ];
}

/** With the wheel, then to the end and back. @returns the longest task */
async function scroll(page: Page, selector: string): Promise<number> {
  await page.locator(selector).hover();
  await longest(page);
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(16);
  }
  for (const top of ['scrollHeight', '0']) {
    await page.evaluate(
      `{ const place = document.querySelector('${selector}'); place.scrollTop = place.${top === '0' ? 'clientTop' : top}; }`
    );
    await page.waitForTimeout(100);
  }
  return longest(page);
}

async function measureRecord(page: Page, url: string): Promise<Row> {
  const durations: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await page.goto(`${url}/console/queries/logs.all?p.project=large`);
    await page.getByRole('button', { name: 'Run the saved query' }).click();
    await painted(page, LINES_SELECTOR);
    const whenPainted = painted(page, '.log-lines .tree li');
    await page.waitForTimeout(200);
    const startedAt = await now(page);
    await page.evaluate(`document.querySelector('${LINES_SELECTOR} > button').click()`);
    durations.push((await whenPainted) - startedAt);
  }
  return row('console: a record of 1 MB', 'click to paint', durations, BARS.record);
}

async function measureTable(page: Page, url: string): Promise<Row[]> {
  const [opens, sorts, filters, tasks]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let run = 0; run < RUNS; run++) {
    await page.goto(`${url}/console/queries/${MANY.name}`);
    const whenPainted = painted(page, '.grid tbody tr[data-index]');
    await page.getByRole('button', { name: 'Run the saved query' }).click();
    const at = await whenPainted;
    opens.push(at - (await page.evaluate<number>('watch.answeredAt()')));
    await page.waitForTimeout(500);
    tasks.push(await scroll(page, '.grid'));
    for (const column of ['text', 'status', 'moment']) {
      const header = `document.querySelector('.grid th:nth-child(${['n', 'path', 'status', 'latency', 'moment', 'text'].indexOf(column) + 2}) button')`;
      sorts.push(await timed(page, `${header}.click()`, `.grid th[aria-sort="ascending"]`));
      await page.evaluate(`${header}.click()`);
      await page.evaluate(`${header}.click()`);
      await page.waitForTimeout(300);
    }
    const startedAt = await now(page);
    await page.getByLabel('Filter').fill('number 77777');
    await page.getByText(/^1 row of/).waitFor();
    filters.push((await now(page)) - startedAt);
  }
  const size = `${TABLE_ROWS.toLocaleString('en-US')} rows`;
  return [
    row(`console: open ${size}`, 'answer to paint', opens, BARS.open),
    row(`console: sort ${size}`, 'by text, number and time', sorts, BARS.sort),
    row(`console: filter ${size}`, 'input to answer', filters, BARS.filter),
    row(`console: scrolling ${size}`, 'longest task', tasks, BARS.task),
  ];
}

async function timed(page: Page, action: string, selector: string): Promise<number> {
  const startedAt = await now(page);
  await page.evaluate(action);
  return (await painted(page, selector)) - startedAt;
}

function row(what: string, size: string, durations: readonly number[], barMs: number): Row {
  const timing = summarize(durations);
  const least = Math.min(...durations);
  return {
    what,
    size,
    against: '',
    measured: ms(timing.medianMs),
    p95: ms(timing.p95Ms),
    bar: ms(barMs),
    isWithin: timing.medianMs <= barMs,
    detail: `least ${ms(least)} of ${durations.length}`,
    figures: { ...timing, leastMs: least },
  };
}
