/**
 * The console in a real browser, with a real service behind it. `LQE_SCREENSHOTS=docs/images` keeps pictures.
 *
 * @slow 60
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { PROJECT, type SampleService, startSampleService } from '../backend/support/sample-service';
import { PROCESS_TOKEN } from '../support/servers/spawned';
import { findChromium } from '../workbench/find-chromium';

jest.setTimeout(150_000);

const ROOT = path.resolve(__dirname, '..', '..');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const LOGS = `/console/queries/logs.all?p.project=${PROJECT}`;
const USAGE = `/console/queries/usage.api-counts?p.project=${PROJECT}&p.interval=minutely`;
const FAILURES = `select rq.path, rs.status_code, count(*) as calls
from edge_logs as e, e.metadata.request as rq, e.metadata.response as rs
group by path, status_code
order by calls desc, path, status_code`;
/** What the browser itself reports of an answer that is not a success. */
const REFUSED_ANSWER = /^Failed to load resource: the server responded with a status of 4/;

interface AxeReport {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

let sample: SampleService;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let problems: string[];

beforeAll(async () => {
  sample = await startSampleService();
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await sample?.stop();
}, 60_000);

beforeEach(() => open());

afterEach(async () => {
  await context.close();
  expect(problems).toEqual([]);
});

async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  await context?.close();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  page = await context.newPage();
  problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
  page.on('console', (message) => {
    const isProblem = message.type() === 'error' || message.type() === 'warning';
    if (isProblem && !REFUSED_ANSWER.test(message.text())) problems.push(message.text());
  });
}

const at = (address: string): string => `${sample.service.url}${address}`;

async function signIn(address = '/', token = PROCESS_TOKEN): Promise<void> {
  await page.goto(at(`/#token=${token}`));
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  if (address !== '/') await page.goto(at(address));
}

async function run(address: string): Promise<void> {
  await signIn(address);
  await page.getByRole('button', { name: /^Run / }).click();
  await page.getByRole('region', { name: /^(Rows|Log lines)$/ }).waitFor();
}

const storedNames = (): Promise<string[]> => page.evaluate('Object.keys({ ...localStorage, ...sessionStorage })');

/** Texts of the editor are in its shadow tree. */
const editor = () => page.getByRole('textbox', { name: 'Query text' });

describe('signing in', () => {
  test('the page names its own files only, and no token is needed for it', async () => {
    const answer = await fetch(at('/'));
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('a person types a token once', async () => {
    await page.goto(at('/'));
    await page.getByLabel('Access token').fill(PROCESS_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'logs.all' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'logs.all' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    expect(await storedNames()).toEqual([]);
  });

  test('a token in the fragment is taken out of the address at once', async () => {
    await signIn();
    expect(page.url()).toBe(at('/console/queries'));
    await page.goBack();
    expect(page.url()).not.toContain(PROCESS_TOKEN);
    expect(await context.cookies()).toEqual([]);
  });

  test('a token that the service does not know is refused, and forgotten', async () => {
    await page.goto(at('/#token=lqe_wrong'));
    await page.getByText('The service does not accept this token').waitFor();
    expect(await storedNames()).toEqual([]);
  });
});

describe('saved queries', () => {
  test('are listed with their parameters, and found by a word', async () => {
    await signIn();
    await page.getByRole('link', { name: 'usage.api-counts' }).waitFor();
    await page.getByLabel('Search').fill('newest log');
    await page.getByText('1 saved query').waitFor();
    await page.getByRole('link', { name: 'logs.all' }).click();
    await page.getByRole('heading', { name: 'logs.all' }).waitFor();
    expect(await page.title()).toBe('logs.all · Log Query Endpoints');
  });

  test('show their definition and their call', async () => {
    await signIn(LOGS);
    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByText('FROM edge_requests AS t').waitFor();
    await page.getByRole('tab', { name: 'Call it' }).click();
    const curl = await page.locator('pre', { hasText: 'curl -sS' }).textContent();
    expect(curl).toContain(`--data-urlencode 'project=${PROJECT}'`);
    expect(curl).not.toContain(PROCESS_TOKEN);
  });

  test('the arrow keys move between tabs', async () => {
    await signIn(LOGS);
    await page.getByRole('tab', { name: 'Run' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('FROM edge_requests AS t').waitFor();
  });
});

describe('a result', () => {
  test('of events is log lines, of which each opens to its record', async () => {
    await run(LOGS);
    await page.getByText('100 rows', { exact: true }).waitFor();
    const first = page.getByRole('button', { name: /GET \| 200 \| \/rest\/v1\/orders/ }).first();
    await first.click();
    await page.getByText('/rest/v1/orders', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('columnheader', { name: /event_message/ }).waitFor();
  });

  test('over time is a chart above a table, which sorts and filters', async () => {
    await run(USAGE);
    await page.getByRole('img', { name: /total_rest_requests,.* over time/ }).waitFor();
    const sort = page.getByRole('columnheader', { name: /total_rest_requests/ });
    await sort.getByRole('button').click();
    await sort.getByRole('button').click();
    expect(await sort.getAttribute('aria-sort')).toBe('descending');
    await page.getByLabel('Filter').fill('no row has this');
    await page.getByText(/^0 rows of/).waitFor();
  });

  test('is saved as CSV', async () => {
    await run(USAGE);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('usage.api-counts.csv');
    expect(readFileSync(await download.path(), 'utf8')).toMatch(/^timestamp,total_rest_requests,/);
  });

  test('without the cache is asked for by a button', async () => {
    await run(USAGE);
    await page.getByRole('button', { name: /^Run the/ }).click();
    await page.getByText(/from the cache/).waitFor();
    await page.getByRole('button', { name: 'Run again, without the cache' }).click();
    await page.getByText(/^ran /).waitFor();
  });
});

describe('the sandbox', () => {
  test('completes tables and fields, and runs by the keyboard', async () => {
    await signIn(LOGS);
    await editor().click();
    await page.keyboard.type('select count(*) as n from ed');
    await page.getByRole('option', { name: /^edge_logs/ }).waitFor();
    // The editor takes a key in the first moment of a list for a key of the text.
    await page.waitForTimeout(250);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Rows' }).getByText('120', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('sql')).toBe('select count(*) as n from edge_logs');
  });

  test('marks what is wrong while a person types, and shows the place of a failure', async () => {
    await signIn(`${LOGS}&sql=${encodeURIComponent('select id,\n  pth\nfrom edge_logs')}`);
    await page.locator('.cm-lintRange-error', { hasText: 'pth' }).waitFor();
    await page.getByRole('button', { name: 'Run this SQL' }).click();
    await page.getByText('line 2, column 3').waitFor();
    await page.getByRole('button', { name: 'Show in the text' }).click();
    expect(
      await page.evaluate<string>("document.querySelector('.editor').shadowRoot.activeElement.className")
    ).toContain('cm-content');
  });

  test('takes LQL', async () => {
    await signIn(`${LOGS}&lql=${encodeURIComponent('f:edge_logs m.response.status_code:500')}`);
    await page.getByRole('button', { name: 'Run this LQL' }).click();
    await page.getByText('30 rows', { exact: true }).waitFor();
  });

  test('an address brings back what was entered, and going back leaves the page', async () => {
    const address = `${LOGS}&sql=${encodeURIComponent('select 1 as one')}`;
    await signIn(address);
    await editor().getByText('select 1 as one').waitFor();
    await page.getByRole('link', { name: 'Sources' }).click();
    await page.getByRole('heading', { name: 'Sources' }).waitFor();
    await page.goBack();
    await editor().getByText('select 1 as one').waitFor();
  });

  test('a run that takes long is cancelled', async () => {
    const sql =
      'select sum(a * b) as n from unnest(generate_array(1, 100000)) as a cross join unnest(generate_array(1, 100000)) as b';
    await signIn(`${LOGS}&sql=${encodeURIComponent(sql)}`);
    await page.getByRole('button', { name: 'Run this SQL' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  });
});

describe('what a page must withstand', () => {
  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '</script><script>alert(2)</script>',
    '\u001b[31mred\u001b[0m \u202Eltr',
    'javascript:alert(3)',
    'x'.repeat(200_000),
  ];

  test('events with HTML, scripts and control characters are texts', async () => {
    const now = Date.now();
    await sample.ingest(
      HOSTILE.map((text, n) => ({
        id: `hostile-${n}`,
        project: 'hostile',
        timestamp: new Date(now - n).toISOString(),
        event_message: text,
        metadata: { '<b>key</b>': text.slice(0, 1000), request: { path: text.slice(0, 1000) } },
      }))
    );
    await run('/console/queries/logs.all?p.project=hostile');
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    await page.getByRole('button', { name: /onerror/ }).click();
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('region', { name: 'Rows' }).waitFor();
    expect(await page.locator('.result img, .result script, .result b').count()).toBe(0);
  });

  test('a hostile name in the address is text, too', async () => {
    await signIn(`/console/queries/${encodeURIComponent('<img src=x onerror=alert(1)>')}`);
    await page.getByText('endpoint_not_found').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  test('a token that loses its rights while the page is open brings back the sign-in', async () => {
    await signIn(LOGS);
    await page.evaluate("sessionStorage.setItem('lqe-token', 'lqe_gone')");
    await page.reload();
    await page.getByLabel('Access token').waitFor();
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each([
    ['saved queries', '/console/queries', false],
    ['log lines', LOGS, true],
    ['a chart', USAGE, true],
    ['a query', `${LOGS}&sql=${encodeURIComponent(FAILURES)}`, true],
    ['sources', '/console/sources', false],
    ['status', '/console/status', false],
  ])('%s: nothing that axe finds, and nothing wider than a phone', async (name, address, isRun) => {
    await open({ colorScheme });
    await (isRun ? run(address) : signIn(address));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status').first().waitFor();
    await page.evaluate(AXE);
    const { violations } = await page.evaluate<AxeReport>('axe.run()');
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`
    );
    expect(found).toEqual([]);
    const folder = process.env['LQE_SCREENSHOTS'];
    if (folder !== undefined)
      await page.screenshot({
        path: path.join(ROOT, folder, `console-${name.replace(/\W/g, '-')}-${colorScheme}.png`),
      });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });
});
