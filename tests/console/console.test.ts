/**
 * The console in a real browser, with a real service behind it. `LQE_SCREENSHOTS=docs/images` keeps pictures.
 *
 * @slow 60
 */
import { readFileSync } from 'node:fs';
import { PROJECT } from '../backend/support/sample-service';
import { PROCESS_TOKEN } from '../support/servers/spawned';
import { consoleForTests } from './support/console-page';

const LOGS = `/console/queries/logs.all?p.project=${PROJECT}`;
const USAGE = `/console/queries/usage.api-counts?p.project=${PROJECT}&p.interval=minutely`;
const FAILURES = `select rq.path, rs.status_code, count(*) as calls
from edge_logs as e, e.metadata.request as rq, e.metadata.response as rs
group by path, status_code
order by calls desc, path, status_code`;

const browser = consoleForTests();

const storedNames = (): Promise<string[]> =>
  browser.page.evaluate('Object.keys({ ...localStorage, ...sessionStorage })');

describe('signing in', () => {
  test('the page names its own files only, and no token is needed for it', async () => {
    const answer = await fetch(browser.at('/'));
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('a person types a token once', async () => {
    await browser.page.goto(browser.at('/'));
    await browser.page.getByLabel('Access token', { exact: true }).fill(PROCESS_TOKEN);
    await browser.page.getByRole('button', { name: 'Sign in' }).click();
    await browser.page.getByRole('link', { name: 'logs.all' }).waitFor();
    await browser.page.reload();
    await browser.page.getByRole('link', { name: 'logs.all' }).waitFor();
    await browser.page.getByRole('button', { name: 'Sign out' }).click();
    await browser.page.getByLabel('Access token', { exact: true }).waitFor();
    expect(await storedNames()).toEqual([]);
  });

  test('a token in the fragment is taken out of the address at once', async () => {
    await browser.signIn();
    expect(browser.page.url()).toBe(browser.at('/console/queries'));
    await browser.page.goBack();
    expect(browser.page.url()).not.toContain(PROCESS_TOKEN);
    expect(await browser.context.cookies()).toEqual([]);
  });

  test('an address with a token signs in from the page that asks for one', async () => {
    await browser.page.goto(browser.at('/'));
    await browser.page.getByLabel('Access token', { exact: true }).waitFor();
    await browser.page.goto(browser.at(`/#token=${PROCESS_TOKEN}`));
    await browser.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(browser.page.url()).not.toContain(PROCESS_TOKEN);
  });

  test('a late refusal of the token before does not end a new sign-in', async () => {
    const { token } = await browser.token({ name: 'before', scopes: ['query', 'endpoints:read'] });
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await browser.signIn(USAGE, token);
    await browser.page.getByRole('button', { name: /^Run the/ }).click();
    await browser.page.getByRole('region', { name: 'Rows' }).waitFor();
    await browser.page.route('**/api/endpoints/query/*', async (route) => {
      await answered;
      await route.fulfill({ status: 401, body: '{"error":{"code":"token_invalid","message":"No."}}' });
    });
    await browser.page.getByRole('button', { name: 'CSV' }).click();
    await browser.page.getByRole('button', { name: 'Sign out' }).click();
    await browser.page.getByLabel('Access token', { exact: true }).fill(PROCESS_TOKEN);
    await browser.page.getByRole('button', { name: 'Sign in' }).click();
    await browser.page.getByRole('button', { name: 'Sign out' }).waitFor();
    answer();
    await browser.page.waitForTimeout(300);
    expect(await browser.page.getByRole('button', { name: 'Sign out' }).count()).toBe(1);
  });

  test('a token that the service does not know, or that no request can carry, is refused, and forgotten', async () => {
    const { page } = browser;
    await page.goto(browser.at('/#token=lqe_wrong'));
    const refusal = page.getByText('The service does not accept this token');
    await refusal.waitFor();
    await page.goto(browser.at('/'));
    // Programs for writing letters replace quotes.
    await page.getByLabel('Access token', { exact: true }).fill('“lqe_wrong”');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await refusal.waitFor();
    expect(await storedNames()).toEqual([]);
  });

  test('a token that cannot be checked can be replaced by another one', async () => {
    const { page } = browser;
    await page.route('**/api/token', (route) => route.fulfill({ status: 403, body: 'no' }));
    await page.goto(browser.at(`/#token=${PROCESS_TOKEN}`));
    await page.getByRole('button', { name: 'Use another token' }).click();
    await page.getByLabel('Access token', { exact: true }).waitFor();
    expect(await storedNames()).toEqual([]);
  });

  test('a browser that gives the page no storage keeps the token until it is reloaded', async () => {
    const { page } = browser;
    await page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })`
    );
    await page.goto(browser.at(`/#token=${PROCESS_TOKEN}`));
    await page.getByRole('link', { name: 'logs.all' }).click();
    await page.getByRole('heading', { name: 'logs.all' }).waitFor();
    await page.reload();
    await page.getByLabel('Access token', { exact: true }).waitFor();
  });
});

test('a part of the console that cannot be loaded leaves the other pages as they are', async () => {
  const { page } = browser;
  await browser.signIn();
  // As while the service is stopped, or when it has another version, without the files of this one.
  await page.route('**/console/assets/*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'New saved query' }).click();
  await page.getByText('This part of the console cannot be loaded.').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'logs.all' }).waitFor();
  await page.goForward();
  await page.unroute('**/console/assets/*.js');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByLabel('Description').waitFor();
  browser.forgetProblems(/dynamically imported module|cannot be loaded/);
});

describe('saved queries', () => {
  test('are listed with their parameters, and found by a word', async () => {
    await browser.signIn();
    await browser.page.getByRole('link', { name: 'usage.api-counts' }).waitFor();
    await browser.page.getByLabel('Search').fill('newest log');
    await browser.page.getByText('1 saved query').waitFor();
    await browser.page.getByLabel('Search').fill('none such');
    await browser.page.getByText('No saved query has these words').waitFor();
    await browser.page.getByLabel('Search').fill('newest log');
    await browser.page.getByRole('link', { name: 'logs.all' }).click();
    await browser.page.getByRole('heading', { name: 'logs.all' }).waitFor();
    expect(await browser.page.title()).toBe('logs.all · Log Query Endpoints');
  });

  test('are drawn 200 at once, and a long word leaves all columns in the page', async () => {
    const { page } = browser;
    const { result } = await browser.ask<{ result: readonly object[] }>('GET', '/api/endpoints');
    const many = Array.from({ length: 500 }, (_, at) => ({
      ...result[0],
      id: String(at),
      name: `query.${at}`,
      description: 'w'.repeat(400),
    }));
    await page.route('**/api/endpoints?*', (route) => route.fulfill({ json: { result: many, next_cursor: null } }));
    await browser.signIn();
    const table = page.getByRole('region', { name: 'Saved queries' });
    await page.getByText('500 saved queries').waitFor();
    expect(await table.getByRole('link').count()).toBe(200);
    const [whole, seen] = await page.evaluate<[number, number]>(
      '(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector("[aria-label=\'Saved queries\']"))'
    );
    expect(whole).toBe(seen);
    await page.getByRole('button', { name: 'Show 200 more' }).click();
    expect(await table.getByRole('link').count()).toBe(400);
    await page.getByLabel('Search').fill('query.499');
    await table.getByRole('link', { name: 'query.499' }).waitFor();
    expect(await table.getByRole('link').count()).toBe(1);
  });

  test.each(['', '/edit'])('with a long name of a parameter fit a narrow page: %s', async (page) => {
    const name = `parameter_${'n'.repeat(50)}`;
    const definition = { name: 'long.names', query: 'select 1 as n', parameters: [{ name, type: 'timestamp' }] };
    if (page === '') await browser.ask('POST', '/api/endpoints', { definition });
    await browser.signIn(`/console/queries/long.names${page}`);
    await browser.page.getByText(name).first().waitFor();
    expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
  });

  test('show their definition and their call', async () => {
    await browser.signIn(LOGS);
    await browser.page.getByRole('tab', { name: 'Definition' }).click();
    await browser.page.getByText('FROM edge_requests AS t').waitFor();
    await browser.page.getByRole('tab', { name: 'Call it' }).click();
    const curl = await browser.page.locator('pre', { hasText: 'curl -sS' }).textContent();
    expect(curl).toContain(`--data-urlencode 'project=${PROJECT}'`);
    expect(curl).not.toContain(PROCESS_TOKEN);
  });

  test('the arrow keys, Home and End move between tabs', async () => {
    await browser.signIn(LOGS);
    await browser.page.getByRole('tab', { name: 'Run' }).focus();
    await browser.page.keyboard.press('ArrowRight');
    await browser.page.getByText('FROM edge_requests AS t').waitFor();
    await browser.page.reload();
    await browser.page.getByText('FROM edge_requests AS t').waitFor();
    await browser.page.getByRole('tab', { name: 'Definition' }).focus();
    for (const [key, tab] of [
      ['End', 'Call it'],
      ['ArrowRight', 'Run'],
      ['ArrowLeft', 'Call it'],
      ['Home', 'Run'],
    ] as const) {
      await browser.page.keyboard.press(key);
      await browser.page.getByRole('tab', { name: tab, selected: true }).waitFor();
    }
  });
});

describe('a result', () => {
  test('of events is log lines, of which each opens to its record', async () => {
    await browser.run(LOGS);
    await browser.page.getByText('100 rows', { exact: true }).waitFor();
    const first = browser.page.getByRole('button', { name: /GET \| 200 \| \/rest\/v1\/orders/ }).first();
    await first.click();
    await browser.page.getByText('/rest/v1/orders', { exact: true }).first().waitFor();
    await browser.page.getByRole('button', { name: 'Show as table' }).click();
    await browser.page.getByRole('columnheader', { name: /event_message/ }).waitFor();
    await browser.page.reload();
    await browser.page.getByRole('button', { name: 'Run the saved query' }).click();
    await browser.page.getByRole('columnheader', { name: /event_message/ }).waitFor();
  });

  test('over time is a chart above a table, which sorts and filters', async () => {
    await browser.run(USAGE);
    await browser.page.getByRole('img', { name: /total_rest_requests,.* over time/ }).waitFor();
    const sort = browser.page.getByRole('columnheader', { name: /total_rest_requests/ });
    await sort.getByRole('button').click();
    await sort.getByRole('button').click();
    expect(await sort.getAttribute('aria-sort')).toBe('descending');
    await browser.page.getByLabel('Filter').fill('no row has this');
    await browser.page.getByText(/^0 rows of/).waitFor();
  });

  test('that is cut off on its way says so', async () => {
    await browser.signIn(USAGE);
    await browser.page.route('**/api/endpoints/query/*', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: '{"result":[' })
    );
    await browser.page.getByRole('button', { name: /^Run the/ }).click();
    await browser.page.getByText('The answer was cut off.').waitFor();
  });

  test('is saved as CSV', async () => {
    await browser.run(USAGE);
    const [download] = await Promise.all([
      browser.page.waitForEvent('download'),
      browser.page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('usage.api-counts.csv');
    expect(readFileSync(await download.path(), 'utf8')).toMatch(/^timestamp,total_rest_requests,/);
  });

  test('without the cache is asked for by a button', async () => {
    await browser.run(USAGE);
    await browser.page.getByRole('button', { name: /^Run the/ }).click();
    await browser.page.getByText(/from the cache/).waitFor();
    await browser.page.getByRole('button', { name: 'Run again, without the cache' }).click();
    await browser.page.getByText(/^ran /).waitFor();
  });
});

describe('times and values', () => {
  test('days of a chart are those of its table, in every zone', async () => {
    await browser.open({ timezoneId: 'America/New_York', locale: 'en-US' });
    const days =
      "select date '2026-03-01' as day, 0.0002 as share union all (select date '2026-03-02', 0.0001 from edge_logs limit 1)";
    await browser.run(`${LOGS}&sql=${encodeURIComponent(days)}`);
    const chart = (await browser.page.locator('.u-over').boundingBox())!;
    await browser.page.mouse.move(chart.x + 2, chart.y + 20);
    const legend = browser.page.locator('.u-legend');
    await legend.getByText('2026-03-01').waitFor();
    await legend.getByText('0.0002').waitFor();
  });

  test('a value of the address that is not allowed is shown, since it is sent', async () => {
    await browser.signIn(`/console/queries/usage.api-counts?p.project=${PROJECT}&p.interval=weekly`);
    const interval = browser.page.getByLabel('interval');
    expect(await interval.inputValue()).toBe('weekly');
    await interval.selectOption('daily');
    await browser.page.getByRole('button', { name: /^Run / }).click();
    await browser.page.getByRole('region', { name: 'Rows' }).waitFor();
  });

  test('are copied on pages without TLS, too', async () => {
    await browser.open({ permissions: ['clipboard-read'] });
    await browser.page.addInitScript(
      'window.kept = navigator.clipboard; Object.defineProperty(navigator, "clipboard", { value: undefined })'
    );
    await browser.signIn(LOGS);
    await browser.page.getByRole('tab', { name: 'Call it' }).click();
    await browser.page.getByRole('button', { name: 'Copy' }).first().click();
    await browser.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await browser.page.evaluate<string>('window.kept.readText()')).toContain('/api/endpoints/query/logs.all');
  });
});

describe('the sandbox', () => {
  test('completes tables and fields, and runs by the keyboard', async () => {
    await browser.signIn(LOGS);
    await browser.editor().click();
    await browser.page.keyboard.type('select count(*) as n from ed');
    await browser.page.getByRole('option', { name: /^edge_logs/ }).waitFor();
    // The editor takes a key in the first moment of a list for a key of the text.
    await browser.page.waitForTimeout(250);
    await browser.page.keyboard.press('Enter');
    await browser.page.keyboard.press('Control+Enter');
    await browser.page.getByRole('region', { name: 'Rows' }).getByText('120', { exact: true }).waitFor();
    await browser.addressHas('sql', 'select count(*) as n from edge_logs');
  });

  test('marks what is wrong while a person types, and shows the place of a failure', async () => {
    await browser.signIn(`${LOGS}&sql=${encodeURIComponent('select id,\n  pth\nfrom edge_logs')}`);
    await browser.page.locator('.cm-lintRange-error', { hasText: 'pth' }).waitFor();
    await browser.page.getByRole('button', { name: 'Run this SQL' }).click();
    await browser.page.getByText('line 2, column 3').waitFor();
    await browser.page.getByRole('button', { name: 'Show in the text' }).click();
    expect(
      await browser.page.evaluate<string>("document.querySelector('.editor').shadowRoot.activeElement.className")
    ).toContain('cm-content');
  });

  test('takes LQL', async () => {
    await browser.signIn(`${LOGS}&lql=${encodeURIComponent('f:edge_logs m.response.status_code:500')}`);
    await browser.page.getByRole('button', { name: 'Run this LQL' }).click();
    await browser.page.getByText('30 rows', { exact: true }).waitFor();
  });

  test('an address brings back what was entered, and going back leaves the page', async () => {
    const address = `${LOGS}&sql=${encodeURIComponent('select 1 as one')}`;
    await browser.signIn(address);
    await browser.editor().getByText('select 1 as one').waitFor();
    await browser.page.getByRole('link', { name: 'Sources' }).click();
    await browser.page.getByRole('heading', { name: 'Sources' }).waitFor();
    await browser.page.goBack();
    await browser.editor().getByText('select 1 as one').waitFor();
  });

  test('a text that is too long for an address comes back after a reload', async () => {
    await browser.signIn(LOGS);
    await browser.editor().click();
    await browser.page.keyboard.insertText(`select 7 as seven -- ${'x'.repeat(20_000)}`);
    await browser.page.getByRole('button', { name: 'Run this SQL' }).waitFor();
    // The link at the head of the page leads to a fragment, too.
    await browser.page.getByRole('link', { name: 'Skip to the page' }).press('Enter');
    await browser.page.reload();
    await browser.page.getByRole('button', { name: 'Run this SQL' }).click();
    await browser.page.getByRole('region', { name: 'Rows' }).getByText('7', { exact: true }).waitFor();
  });

  test('a text that is longer than the service takes is not inserted', async () => {
    await browser.signIn(LOGS);
    await browser.editor().click();
    await browser.page.keyboard.insertText('select 1 as n from edge_logs -- ');
    await browser.paste('x'.repeat(262_144));
    await browser.page.getByText('Nothing was inserted: the text would have 262,176 characters').waitFor();
    await browser.paste('short');
    await browser.page.getByText('Nothing was inserted').waitFor({ state: 'detached' });
    expect(await browser.editor().textContent()).toBe('select 1 as n from edge_logs -- short');
  });

  test('a character that reverses a text is seen in the editor', async () => {
    await browser.signIn(`${LOGS}&sql=${encodeURIComponent("select '\u202egnp.exe' as name")}`);
    await browser.page.locator('.cm-specialChar').waitFor();
  });

  test('a run that takes long is cancelled, and its button has the focus again', async () => {
    const sql =
      'select sum(a * b) as n from unnest(generate_array(1, 100000)) as a cross join unnest(generate_array(1, 100000)) as b';
    await browser.signIn(`${LOGS}&sql=${encodeURIComponent(sql)}`);
    const [run, cancel] = ['Run this SQL', 'Cancel'].map((name) => browser.page.getByRole('button', { name }));
    await run!.click();
    await cancel!.click();
    await cancel!.waitFor({ state: 'detached' });
    await run!.and(browser.page.locator(':focus')).waitFor();
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
    await browser.service.ingest(
      HOSTILE.map((text, n) => ({
        id: `hostile-${n}`,
        project: 'hostile',
        timestamp: new Date(now - n).toISOString(),
        event_message: text,
        metadata: { '<b>key</b>': text.slice(0, 1000), request: { path: text.slice(0, 1000) } },
      }))
    );
    await browser.run('/console/queries/logs.all?p.project=hostile');
    await browser.page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    await browser.page.locator('.log-lines .reversing').waitFor();
    await browser.page.getByRole('button', { name: /onerror/ }).click();
    await browser.page.getByRole('button', { name: 'Show as table' }).click();
    await browser.page.getByRole('region', { name: 'Rows' }).waitFor();
    // Of the message; the metadata has its own where it is not cut.
    await browser.page.locator('.result td .reversing').first().waitFor();
    expect(await browser.page.locator('.result img, .result script, .result b').count()).toBe(0);
  });

  test('a hostile name in the address is text, too', async () => {
    await browser.signIn(`/console/queries/${encodeURIComponent('<img src=x onerror=alert(1)>')}`);
    await browser.page.getByText('endpoint_not_found').waitFor();
    expect(await browser.page.locator('main img').count()).toBe(0);
  });

  test('a token that loses its rights while the page is open brings back the sign-in', async () => {
    await browser.signIn(LOGS);
    await browser.page.evaluate("sessionStorage.setItem('lqe-token', 'lqe_gone')");
    await browser.page.reload();
    await browser.page.getByLabel('Access token', { exact: true }).waitFor();
  });
});

test('the links to the pages are on one line beside a long name of a token, on a tablet too', async () => {
  const scopes = ['query', 'endpoints:read', 'tokens:admin', 'metrics:read'];
  const { token } = await browser.token({ name: 'a token with a name of many words', scopes });
  await browser.signIn('/', token);
  for (const width of [1024, 768, 722]) {
    await browser.page.setViewportSize({ width, height: 900 });
    const tops = await browser.page.evaluate<number[]>(
      "[...document.querySelectorAll('.bar a, .bar button')].map((each) => Math.round(each.getBoundingClientRect().bottom / 30))"
    );
    expect(new Set(tops).size).toBe(1);
    expect(await browser.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
});

test('the page and the tab that are shown can be distinguished in a high contrast theme', async () => {
  await browser.open({ forcedColors: 'active' });
  await browser.signIn(LOGS);
  await browser.page.getByRole('tab').first().waitFor();
  const colorsOf = (selector: string): Promise<string[]> =>
    browser.page.evaluate(
      `[...document.querySelectorAll('${selector}')].map((e) => getComputedStyle(e).borderBottomColor)`
    );
  for (const selector of ['.bar nav a', '[role=tab]']) {
    const [shown, ...others] = await colorsOf(selector);
    expect(others.length).toBeGreaterThan(1);
    expect(others).not.toContain(shown);
  }
});

describe('an address with parts that the page does not read', () => {
  const note = () => browser.page.getByRole('alert');

  test('is named on the page, with what was meant', async () => {
    await browser.signIn(`/console/queries/logs.all?p.project=${PROJECT}&last=30d&p.limt=5`);
    await note().getByText('"last=30d" (it can be 15m, 1h, 24h, 7d)').waitFor();
    await browser.page.goto(browser.at(`/console/queries/logs.all?project=${PROJECT}`));
    await note().getByText('"project" (did you mean "p.project"?)').waitFor();
    await browser.page.goto(browser.at('/console/tokens?status=revoked'));
    await note().getByText('"status" (did you mean "state"?)').waitFor();
    await browser.page.goto(browser.at(`${LOGS}&last=7d&view=call`));
    await browser.page.locator('.example').first().waitFor();
    expect(await note().count()).toBe(0);
  });

  test('its parameters that the service ignores are named above the result', async () => {
    const { token } = await browser.token({ name: 'caller', scopes: ['query'] });
    await browser.signIn('/console/queries/logs.all', token);
    await browser.page.getByLabel('Parameters, as in a URL').fill(`project=${PROJECT}&limt=5`);
    await browser.page.getByRole('button', { name: 'Run the saved query' }).click();
    await browser.page.getByText('The saved query does not declare the parameters limt.').waitFor();
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
    await browser.open({ colorScheme });
    await (isRun ? browser.run(address) : browser.signIn(address));
    await browser.page.getByRole('heading', { level: 1 }).waitFor();
    await browser.page.getByRole('status').first().waitFor();
    expect(await browser.accessibilityProblems()).toEqual([]);
    await browser.keepPicture(`${name}-${colorScheme}`);
    expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
  });
});
