/**
 * Editing of saved queries in a real browser, with a real service behind it.
 *
 * @slow 90
 */
import type { RevisionFacts } from '#contract/changes/revision';
import type { SavedQuery } from '#contract/queries/saved-query';
import { PROJECT } from '../backend/support/sample-service';
import { PROCESS_TOKEN } from '../support/servers/spawned';
import { consoleForTests } from './support/console-page';

const browser = consoleForTests();

const YAML = `# Keep this comment.
name: NAME
description: First events
query: |
  SELECT t.id, t.event_message
  FROM edge_requests AS t
  WHERE t.project = @project
  ORDER BY t.timestamp DESC
  LIMIT 10
parameters:
  - name: project # the customer
    required: true
    values: { query: usage.api-counts, parameters: { interval: daily, project: . } }
max_rows: 50
`;

let count = 0;
/** A new saved query. @returns its name */
async function create(yaml = YAML): Promise<string> {
  const name = `edited.q${(count += 1)}`;
  await browser.ask('POST', '/api/endpoints', { yaml: yaml.replace('NAME', name), message: 'made for a test' });
  return name;
}
const stored = async (name: string): Promise<SavedQuery> =>
  (await browser.ask<{ result: SavedQuery }>('GET', `/api/endpoints/${name}`)).result;
const storedText = async (name: string): Promise<string> => {
  const { revision } = await stored(name);
  const path = `/api/endpoints/${name}/revisions/${revision}`;
  return (await browser.ask<{ result: { yaml: string } }>('GET', path)).result.yaml;
};
const editPage = (name: string): string => `/console/queries/${name}/edit`;
const button = (name: string | RegExp) => browser.page.getByRole('button', { name, exact: true });

describe('the form', () => {
  test('changes one field, and leaves comments and what it does not show', async () => {
    const name = await create();
    await browser.signIn(`/console/queries/${name}`);
    await browser.page.getByRole('link', { name: 'Edit' }).click();
    await browser.page.getByLabel('Description').first().fill('All <b>events</b> of a project');
    await browser.page.getByLabel('Rows at most').fill('70');
    await browser.page.getByLabel('Note').fill('more rows');
    await browser.page.getByText('valid', { exact: true }).waitFor();
    await button('Save').click();
    await browser.page.getByText('Saved as revision 2.').waitFor();
    expect(await storedText(name)).toBe(
      YAML.replace('NAME', name).replace('First events', 'All <b>events</b> of a project').replace('50', '70')
    );
    const { result } = await browser.ask<{ result: RevisionFacts[] }>('GET', `/api/endpoints/${name}/revisions`);
    expect([result[0]?.message, result[0]?.changed]).toEqual(['more rows', ['description', 'max_rows']]);
  });

  test('marks what is wrong in the text of the query and at a field, while a person types', async () => {
    const name = await create();
    await browser.signIn(editPage(name));
    await browser.page.getByLabel('Rows at most').fill('many');
    await browser.page.locator('.field', { hasText: 'Rows at most' }).locator('.wrong').waitFor();
    await browser.page.getByLabel('Rows at most').fill('');
    await browser.editor().click();
    await browser.page.keyboard.press('Control+End');
    await browser.page.keyboard.type('\nOFFSET nope');
    await browser.page.locator('.cm-lintRange-error').first().waitFor();
    await browser.page.getByText(/^query, line 7/).waitFor();
  });

  test('keeps a field of allowed values that is emptied while a person types in it', async () => {
    const { page } = browser;
    await browser.signIn('/console/new');
    await button('Add a parameter').click();
    await page.getByText('Values that are allowed').click();
    const choices = page.getByLabel('One of');
    await choices.pressSequentially('a');
    await choices.press('Backspace');
    await choices.and(page.locator(':focus')).waitFor();
    await choices.pressSequentially('a\nb\n');
    expect(await choices.inputValue()).toBe('a\nb\n');
    await choices.blur();
    expect(await choices.inputValue()).toBe('a\nb');
  });

  test('completes names of sources, and runs a preview with parameters by the keyboard', async () => {
    let sendSources = (): void => undefined;
    const areTyped = new Promise<void>((resolve) => (sendSources = resolve));
    // A person may type faster than the names arrive.
    await browser.page.route('**/api/sources', (route) => areTyped.then(() => route.continue()));
    await browser.signIn('/console/new');
    await browser.editor().click();
    await browser.page.keyboard.type('select count(*) as n from edge_re');
    // The editor looks for completions a moment after the last key.
    await browser.page.waitForTimeout(500);
    sendSources();
    await browser.page.getByRole('option', { name: /^edge_requests *id,/ }).waitFor();
    // The editor takes a key in the first moment of a list for a key of the text.
    await browser.page.waitForTimeout(250);
    await browser.page.keyboard.press('Enter');
    await browser.page.keyboard.type(' as t where t.project = @project');
    await button('Add a parameter').click();
    await browser.page.getByRole('group', { name: 'Parameter 1' }).getByLabel('Name', { exact: true }).fill('project');
    await browser.page.getByLabel('Name', { exact: true }).first().fill('counted.requests');
    await browser.page.getByLabel(/^project/).fill(PROJECT);
    await browser.editor().click();
    await browser.page.keyboard.press('Control+Enter');
    await browser.page.getByRole('region', { name: 'Rows' }).getByText('120', { exact: true }).waitFor();
    await browser.page.keyboard.press('Control+s');
    await browser.page.getByRole('heading', { name: 'counted.requests' }).waitFor();
    expect((await stored('counted.requests')).parameters[0]).toMatchObject({ name: 'project', required: true });
  });
});

describe('the text', () => {
  test('is another view of the same definition, with positions of its problems', async () => {
    const name = await create();
    await browser.signIn(editPage(name));
    await browser.page.getByLabel('Rows at most').fill('60');
    await browser.page.getByRole('tab', { name: 'YAML' }).click();
    await browser.editor('Definition as YAML').getByText('max_rows: 60').waitFor();
    await browser.addressHas('view', 'yaml');
    await browser.editor('Definition as YAML').click();
    await browser.page.keyboard.press('Control+End');
    await browser.page.keyboard.type('max_cols: 3');
    await browser.page.getByText(/unknown key "max_cols"/).waitFor();
    await browser.page.locator('.cm-lintRange-error', { hasText: 'max_cols' }).waitFor();
    await browser.page.getByRole('tab', { name: 'Form' }).click();
    expect(await browser.page.getByLabel('Rows at most').inputValue()).toBe('60');
  });

  test('that is too long for a check as a text is checked by its fields', async () => {
    const values = Array.from({ length: 900 }, (_, n) => `      - value ${n}\n`).join('');
    const name = await create(YAML.replace('max_rows', `  - name: choice\n    enum:\n${values}max_rows`));
    await browser.signIn(`${editPage(name)}?view=yaml`);
    await browser.page.getByText('valid', { exact: true }).waitFor();
    await browser.editor('Definition as YAML').click();
    await browser.page.keyboard.press('Control+End');
    await browser.page.keyboard.type('max_bytes: 1');
    await browser.page.locator('.save-bar .problems', { hasText: 'max_bytes' }).waitFor();
  });

  test.each([
    ['anchors that expand', `a: &a [x, x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: [*a, *a]`).join('\n')}\n`],
    ['what YAML cannot be', 'name: [\n'],
    ['too many values', `parameters: [${'x, '.repeat(30_000)}x]\n`],
  ])('with %s is refused, and stays', async (_, text) => {
    await browser.signIn('/console/new?view=yaml');
    await browser.editor('Definition as YAML').click();
    await browser.page.keyboard.press('Control+a');
    await browser.page.keyboard.press('Delete');
    await browser.page.keyboard.insertText(text);
    await browser.page.locator('.save-bar .problems li, .save-bar .warning').first().waitFor();
    await button('Create').click();
    await browser.page.locator('.save-bar .failure').waitFor();
    await browser.page.getByText('The form is back when the text can be read').waitFor();
    await browser.page.reload();
    await browser.page.getByText('This tab has kept these unsaved changes').waitFor();
    await browser.editor('Definition as YAML').getByText(text.slice(0, 6)).first().waitFor();
  });
});

describe('two people edit at once', () => {
  test('each keeps the changes of the other, and chooses where both changed the same', async () => {
    const name = await create();
    await browser.signIn(editPage(name));
    await browser.page.getByLabel('Description').first().fill('Mine');
    await browser.page.getByLabel('Time limit (ms)').fill('5000');
    await browser.editor().getByText('LIMIT 10').dblclick();
    await browser.page.keyboard.press('Control+End');
    await browser.page.keyboard.type('-- mine at the end');

    const other = await browser.anotherPerson();
    await other.goto(browser.at(editPage(name)));
    await other.getByLabel('Description').first().fill('Theirs');
    await other.getByLabel('Cached for (s)').fill('60');
    await other.getByRole('tab', { name: 'YAML' }).click();
    await other.getByRole('textbox', { name: 'Definition as YAML' }).getByText('t.event_message').click();
    await other.keyboard.press('End');
    await other.keyboard.type(', t.timestamp');
    await other.getByLabel('Note').fill('with time');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('Saved as revision 2.').waitFor();

    await button('Save').click();
    await browser.page.getByText('“with time”').waitFor();
    expect(await button('Use this merge').isDisabled()).toBe(true);
    await browser.page
      .getByRole('group', { name: /^description/ })
      .getByLabel('Take mine')
      .check();
    await button('Use this merge').click();
    await browser.page.getByText('valid', { exact: true }).waitFor();
    await button('Save').click();
    await browser.page.getByText('Saved as revision 3.').waitFor();
    expect(await stored(name)).toMatchObject({
      description: 'Mine',
      timeout_ms: 5000,
      cache_seconds: 60,
      max_rows: 50,
    });
    const text = await storedText(name);
    expect(text).toContain('t.event_message, t.timestamp');
    expect(text).toContain('-- mine at the end');
    expect(text).toContain('# Keep this comment.');
  });

  test('lines that both changed are decided one by one', async () => {
    const name = await create();
    await browser.signIn(editPage(name));
    await browser.editor().getByText('LIMIT 10').click();
    await browser.page.keyboard.press('Control+End');
    await browser.page.keyboard.press('Backspace');
    await browser.page.keyboard.press('Backspace');
    await browser.page.keyboard.type('1');
    await browser.ask(
      'PATCH',
      `/api/endpoints/${name}`,
      { query: (await stored(name)).query.replace('10', '20') },
      { 'If-Match': '*' }
    );
    await button('Save').click();
    await browser.page.getByLabel('Take theirs').check();
    await browser.page.keyboard.press('Control+s');
    expect(await browser.page.getByLabel('Take theirs').isChecked()).toBe(true);
    await button('Use this merge').click();
    await button('Discard changes').waitFor({ state: 'detached' });
    expect((await stored(name)).query).toContain('LIMIT 20');
  });

  test('a text that cannot be read is not merged, since it has no fields', async () => {
    const name = await create();
    await browser.signIn(`${editPage(name)}?view=yaml`);
    await browser.editor('Definition as YAML').click();
    await browser.page.keyboard.press('Control+End');
    await browser.page.keyboard.type('\nunreadable: a: b');
    await browser.ask('PATCH', `/api/endpoints/${name}`, { max_rows: 9 }, { 'If-Match': '*' });
    await button('Save').click();
    await browser.page.locator('.save-bar .failure', { hasText: 'Your text cannot be read' }).waitFor();
    for (let count = 0; count < 3; count++) await browser.page.keyboard.press('Backspace');
    expect(await browser.editor('Definition as YAML').innerText()).toContain('unreadable: a');
  });

  test('the other one deletes it: the text stays', async () => {
    const name = await create();
    await browser.signIn(editPage(name));
    await browser.page.getByLabel('Description').first().fill('Mine');
    await browser.ask('DELETE', `/api/endpoints/${name}`, undefined, { 'If-Match': '*' });
    await button('Save').click();
    await browser.page.locator('.save-bar .failure').waitFor();
    expect(await browser.page.getByLabel('Description').first().inputValue()).toBe('Mine');
  });
});

describe('unsaved changes', () => {
  test('survive a reload, are discarded by a button, and never hold the token', async () => {
    const name = await create();
    await browser.signIn(editPage(name));
    await browser.page.getByLabel('Description').first().fill('Not saved');
    await browser.page.reload();
    await browser.page.getByText('This tab has kept these unsaved changes').waitFor();
    expect(await browser.page.getByLabel('Description').first().inputValue()).toBe('Not saved');
    const drafts = await browser.page.evaluate<string>(
      "JSON.stringify(Object.entries(sessionStorage).filter(([key]) => key.startsWith('lqe-draft')))"
    );
    expect(drafts).toContain('Not saved');
    expect(drafts).not.toContain(PROCESS_TOKEN);
    await button('Discard changes').click();
    expect(await browser.page.getByLabel('Description').first().inputValue()).toBe('First events');
    await browser.page.getByRole('link', { name: 'Sources' }).click();
    await browser.page.getByRole('heading', { name: 'Sources' }).waitFor();
  });

  test('are asked about before a link, going back and signing out leave the page', async () => {
    const name = await create();
    await browser.signIn(`/console/queries/${name}`);
    await browser.page.getByRole('link', { name: 'Edit' }).click();
    await browser.page.getByLabel('Description').first().fill('Not saved');
    const dialog = browser.page.getByRole('dialog', { name: 'Leave this page?' });
    const stay = async (): Promise<void> => {
      await dialog.waitFor();
      await browser.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await browser.page.getByLabel('Description').first().inputValue()).toBe('Not saved');
    };
    await browser.page.getByRole('link', { name: 'Sources' }).click();
    await stay();
    await button('Sign out').click();
    await stay();
    await browser.page.goBack();
    await stay();
    expect(new URL(browser.page.url()).pathname).toBe(editPage(name));
    await browser.page.goBack();
    await dialog.waitFor();
    expect(await browser.accessibilityProblems()).toEqual([]);
    await button('Leave the page').click();
    await browser.page.getByRole('tab', { name: 'Run' }).waitFor();
    await browser.page.getByRole('link', { name: 'Edit' }).click();
    await browser.page.getByText('This tab has kept these unsaved changes').waitFor();
  });

  test('that are typed while others are being saved stay, and are saved next', async () => {
    const name = await create();
    await browser.signIn(editPage(name));
    const description = browser.page.getByLabel('Description').first();
    let answer = (): void => undefined;
    await browser.page.route('**/api/endpoints/*', async (route) => {
      if (route.request().method() === 'PUT') await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    });
    await description.fill('First');
    await browser.page.keyboard.press('Control+s');
    await button('Saving …').waitFor();
    await description.pressSequentially(', second');
    answer();
    await button('Save').waitFor();
    expect(await description.inputValue()).toBe('First, second');
    await browser.page.unrouteAll();
    await browser.page.reload();
    expect(await description.inputValue()).toBe('First, second');
    await button('Save').click();
    await browser.page.getByText('Saved as revision 3.').waitFor();
    expect((await stored(name)).description).toBe('First, second');
  });

  test('stay when the token loses endpoints:write, and when it is revoked', async () => {
    const name = await create();
    const { id, token } = await browser.token({ name: 'editor', scopes: ['endpoints:read', 'endpoints:write'] });
    await browser.signIn(editPage(name), token);
    await browser.page.getByLabel('Description').first().fill('Not saved');
    await browser.ask('PATCH', `/api/tokens/${id}`, { scopes: ['endpoints:read'] });
    await button('Save').click();
    await browser.page.getByText('Your text stays in this tab').waitFor();
    await browser.ask('DELETE', `/api/tokens/${id}`);
    // A check of the text may be the first request with the revoked token: then the page for signing in is there
    // already.
    await button('Save')
      .click({ timeout: 3_000 })
      .catch(() => undefined);
    await browser.page.getByLabel('Access token', { exact: true }).fill(PROCESS_TOKEN);
    await button('Sign in').click();
    await browser.page.getByText('This tab has kept these unsaved changes').waitFor();
    await button('Save').click();
    await browser.page.getByText('Saved as revision 2.').waitFor();
    expect((await stored(name)).description).toBe('Not saved');
  });
});

describe('a new saved query', () => {
  test('begins with a text of a sandbox, and the tables and parameters that it uses', async () => {
    const sql = 'select count(*) as n from edge_logs';
    await browser.signIn(`/console/new?sql=${encodeURIComponent(sql)}&from=logs.all&p.project=${PROJECT}`);
    await browser.page.getByLabel('Name', { exact: true }).first().fill('edge.count');
    await browser.page.getByText('n INT64').waitFor();
    await button('Run a preview').click();
    await browser.page.getByRole('region', { name: 'Rows' }).getByText('120', { exact: true }).waitFor();
    await button('Create').click();
    await browser.page.getByRole('heading', { name: 'edge.count' }).waitFor();
    expect((await stored('edge.count')).query).toMatch(
      /^WITH\nedge_logs AS[^]*\nselect count\(\*\) as n from edge_logs\n$/
    );
  });

  test('takes LQL as the SQL that it means, and warns of a relative time', async () => {
    const lql = 'f:edge_logs m.response.status_code:>=500 t:last@1h';
    await browser.signIn(`/console/new?lql=${encodeURIComponent(lql)}&from=logs.all`);
    await browser.page.getByText('names a time relative to now').waitFor();
    await browser.editor().click();
    await browser.page.keyboard.press('Control+End');
    await browser.editor().getByText('500').first().waitFor();
  });

  test('that was created by a request whose answer was lost is said to be there, also with another note', async () => {
    const { page } = browser;
    await browser.signIn('/console/new');
    await page.getByLabel('Name', { exact: true }).first().fill('answer.lost');
    await browser.editor().click();
    await page.keyboard.type('select 1 as n');
    await page.route('**/api/endpoints', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button('Create').click();
    await page.getByText('The service does not answer').waitFor();
    await page.unroute('**/api/endpoints');
    await page.getByLabel('Note').fill('again');
    await button('Create').click();
    await page.locator('.save-bar .failure', { hasText: 'name_taken' }).waitFor();
    browser.forgetRefusedConnections();
  });

  test('whose preview runs ends the run when its page is left', async () => {
    const { page } = browser;
    await browser.signIn('/console/new');
    await page.route('**/api/endpoints/preview', () => undefined);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/preview'));
    await button('Run a preview').click();
    await page.getByRole('link', { name: 'Status' }).click();
    expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
  });

  test('is checked and tried before it has a name, and declares the parameters of its text by a button', async () => {
    const { page } = browser;
    await browser.signIn('/console/new');
    await browser.editor().click();
    await page.keyboard.type('select event_message from edge_requests where project = @project');
    await page.keyboard.press('Escape');
    await page.getByText(/^query, line 1/).waitFor();
    await button('Declare @project').click();
    await page.getByText('valid', { exact: true }).waitFor();
    await page.getByText('It needs a name before it can be saved.').waitFor();
    expect(await page.locator('.field .wrong').count()).toBe(0);
    expect(await button('Declare @project').count()).toBe(0);
    await page.getByRole('region', { name: 'Preview' }).getByLabel('project').fill(PROJECT);
    await browser.editor().click();
    await page.keyboard.press('Control+Enter');
    await page.getByText('100 rows', { exact: true }).waitFor();
    const { y } = (await page.getByRole('heading', { name: 'Preview' }).boundingBox())!;
    expect(y).toBeLessThan(page.viewportSize()!.height);
    await button('Create').click();
    await page.locator('.field', { hasText: 'Name' }).locator('.wrong').first().waitFor();
    expect(await browser.accessibilityProblems()).toEqual([]);
  });

  test.each([
    ['edge_requests', 't.project = @project', 'project', '100 rows'],
    ['function_events', 't.metadata[0].project_ref = @project_ref', 'project_ref', 'The query ran and found no rows.'],
  ])('begins with the newest events of %s', async (source, filter, parameter, found) => {
    const { page } = browser;
    await browser.signIn('/console/new');
    await page.getByLabel('Begin with the newest events of').selectOption(source);
    await page.getByRole('region', { name: 'Preview' }).getByLabel(parameter).fill(PROJECT);
    await button('Run a preview').click();
    await page.getByText(found, { exact: true }).waitFor();
    await button('Create').click();
    await page.getByRole('heading', { name: `${source}.newest` }).waitFor();
    const { query, parameters, sandbox } = await stored(`${source}.newest`);
    expect([query.includes(filter), sandbox]).toEqual([true, true]);
    expect(parameters.find(({ tenant }) => tenant)?.name).toBe(parameter);
    await page.getByText('Last 15 min').waitFor();
  });

  test('of a source is a link beside the source, for those who may create one', async () => {
    await browser.signIn('/console/sources');
    await browser.page.getByRole('link', { name: 'New saved query of database' }).click();
    await browser.editor().getByText('FROM database AS t').waitFor();
    const { token } = await browser.token({ name: 'reads', scopes: ['endpoints:read'] });
    await browser.open();
    await browser.signIn('/console/sources', token);
    await browser.page.getByRole('region', { name: 'Sources' }).waitFor();
    expect(await browser.page.getByRole('link', { name: /^New saved query/ }).count()).toBe(0);
  });

  test('is a copy of one of a file, which is read only', async () => {
    await browser.signIn(editPage('logs.all'));
    await browser.page.getByRole('link', { name: 'Copy under another name' }).click();
    expect(await browser.page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('logs.all.copy');
    await button('Create').click();
    await browser.page.getByRole('heading', { name: 'logs.all.copy' }).waitFor();
  });

  test('is for tokens with endpoints:write only', async () => {
    const { token } = await browser.token({ name: 'reader', scopes: ['endpoints:read', 'query'] });
    const name = await create();
    await browser.signIn('/console/queries', token);
    await browser.page.getByRole('link', { name: 'logs.all', exact: true }).waitFor();
    expect(await browser.page.getByRole('link', { name: 'New saved query' }).count()).toBe(0);
    await browser.page.goto(browser.at(`/console/queries/${name}`));
    await browser.page.getByRole('link', { name: 'History' }).waitFor();
    expect(await browser.page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await browser.page.goto(browser.at(editPage(name)));
    await browser.page.getByText('This token may not change saved queries').waitFor();
  });

  test('with HTML in names is text', async () => {
    const html = '<img src=x onerror=alert(1)>';
    await browser.signIn(`/console/new?sql=${encodeURIComponent(html)}&from=${encodeURIComponent(html)}`);
    await browser.page.getByText('endpoint_not_found').waitFor();
    await browser.page.goto(browser.at('/console/new'));
    await browser.page.getByLabel('Name', { exact: true }).first().fill(html);
    await browser.page.getByLabel('Description').first().fill(html);
    await browser.page.locator('.field .wrong').first().waitFor();
    expect(await browser.page.locator('main img[src=x]').count()).toBe(0);
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each([
    ['edit-form', ''],
    ['edit-yaml', '?view=yaml'],
  ])('%s: nothing that axe finds, and nothing wider than a phone', async (picture, search) => {
    const name = await create();
    await browser.open({ colorScheme });
    await browser.signIn(editPage(name) + search);
    await browser.page.getByText('valid', { exact: true }).waitFor();
    await browser.page.getByLabel(/^project/).fill(PROJECT);
    await button('Run a preview').click();
    await browser.page.getByRole('region', { name: 'Rows' }).waitFor();
    expect(await browser.accessibilityProblems()).toEqual([]);
    await browser.keepPicture(`${picture}-${colorScheme}`);
    expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
    await browser.keepPicture(`${picture}-phone-${colorScheme}`);
  });

  test.each(['conflict', 'new-query', 'leave', 'problems'])(
    '%s: nothing that axe finds, and nothing wider than a phone',
    async (picture) => {
      const name = await create();
      await browser.open({ colorScheme });
      await browser.signIn(picture === 'new-query' ? '/console/new' : editPage(name));
      await browser.page.getByRole('region', { name: 'Save' }).waitFor();
      if (picture !== 'new-query') await browser.page.getByLabel('Description').first().fill('Mine');
      if (picture === 'problems') await browser.page.getByLabel('Rows at most').fill('many');
      if (picture === 'conflict') {
        await browser.ask('PATCH', `/api/endpoints/${name}`, { description: 'Theirs' }, { 'If-Match': '*' });
        await button('Save').click();
        await button('Use this merge').waitFor();
      }
      if (picture === 'leave') {
        await browser.page.getByRole('link', { name: 'Sources' }).click();
        await browser.page.getByRole('dialog').waitFor();
      }
      if (picture === 'problems') await browser.page.locator('.field .wrong').waitFor();
      expect(await browser.accessibilityProblems()).toEqual([]);
      await browser.keepPicture(`${picture}-${colorScheme}`);
      expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
      await browser.keepPicture(`${picture}-phone-${colorScheme}`);
    }
  );
});
