/**
 * History of saved queries, access tokens and the audit trail in a real browser, with a real service behind it.
 *
 * @slow 140
 */
import type { SavedQuery } from '#contract/queries/saved-query';
import type { DescribedToken } from '#contract/tokens/token';
import { PROCESS_TOKEN } from '../support/servers/spawned';
import { consoleForTests } from './support/console-page';

const browser = consoleForTests({ LQE_MAX_CHANGES_PER_MINUTE: '100000', LQE_MAX_REQUESTS_PER_MINUTE: '100000' });

const HTML = '<img src=x onerror=alert(1)>';
let count = 0;
/** A saved query with three revisions. @returns its name */
async function create(): Promise<string> {
  const name = `kept.q${(count += 1)}`;
  const query = 'select t.id\nfrom edge_requests as t\nlimit 10\n';
  await browser.ask('POST', '/api/endpoints', { definition: { name, query, description: HTML }, message: HTML });
  const change = (patch: object): Promise<unknown> =>
    browser.ask(
      'PATCH',
      `/api/endpoints/${name}`,
      { definition: patch, message: 'changed for a test' },
      { 'If-Match': '*' }
    );
  await change({ query: query.replace('t.id', 't.id, t.event_message') });
  await change({ max_rows: 7 });
  return name;
}
const stored = async (name: string): Promise<SavedQuery> =>
  (await browser.ask<{ result: SavedQuery }>('GET', `/api/endpoints/${name}`)).result;
const historyPage = (name: string): string => `/console/queries/${name}/history`;
const button = (name: string | RegExp) => browser.page.getByRole('button', { name, exact: true });
const tokens = async (): Promise<readonly DescribedToken[]> =>
  (await browser.ask<{ result: DescribedToken[] }>('GET', '/api/tokens?limit=100')).result;

describe('the history', () => {
  test('shows what a revision changed, word by word, and restores it', async () => {
    const name = await create();
    await browser.signIn(historyPage(name));
    await browser.page.getByRole('link', { name: 'Revision 1', exact: true }).click();
    const diff = browser.page.getByRole('region', { name: 'Changes from revision 1 to 3' });
    await diff.getByText('t.event_message').waitFor();
    expect(await diff.locator('.added mark').allTextContents()).toEqual([', t.event_message']);
    expect(new URL(browser.page.url()).searchParams.get('revision')).toBe('1');
    await browser.page.getByLabel('Compare with').selectOption({ label: 'nothing: the whole text' });
    await browser.page.locator('pre.text').getByText('limit 10').waitFor();
    await browser.page.locator('.revision').getByLabel('Note').fill('back');
    await button('Restore revision 1').click();
    await browser.page.getByRole('link', { name: 'Revision 4, the newest' }).waitFor();
    expect((await stored(name)).max_rows).toBe(1000);
    expect(await browser.page.locator('main img').count()).toBe(0);
  });

  test('deletes after the name was typed, and brings a deleted saved query back', async () => {
    const name = await create();
    await browser.signIn(historyPage(name));
    await browser.page.getByText('Delete this saved query').click();
    const remove = button(`Delete ${name}`);
    expect(await remove.isDisabled()).toBe(true);
    await browser.page.getByLabel(/^Type/).fill(name.slice(1));
    expect(await remove.isDisabled()).toBe(true);
    await browser.page.getByLabel(/^Type/).fill(name);
    await browser.page.getByRole('group').getByLabel('Note').fill('no caller uses it – deleted');
    await remove.click();
    await browser.page.getByText(/deleted this saved query/).waitFor();
    await expect(stored(name)).rejects.toThrow('endpoint_not_found');
    await browser.page.goto(browser.at(`/console/queries/${name}`));
    await browser.page.getByRole('link', { name: 'history' }).click();
    await browser.page.getByText('no caller uses it – deleted').waitFor();
    await browser.page.getByRole('link', { name: 'Revision 3', exact: true }).click();
    await button('Restore revision 3').click();
    await browser.page.getByRole('link', { name: 'Revision 5, the newest' }).waitFor();
    expect((await stored(name)).max_rows).toBe(7);
  });

  test('is kept from a change that another person made in the meantime', async () => {
    const name = await create();
    await browser.signIn(`${historyPage(name)}?revision=1`);
    await button('Restore revision 1').waitFor();
    await browser.ask('PATCH', `/api/endpoints/${name}`, { max_rows: 9 }, { 'If-Match': '*' });
    await button('Restore revision 1').click();
    await browser.page.getByText('revision_conflict').waitFor();
    expect((await stored(name)).max_rows).toBe(9);
  });

  test('only shows to a token that may not write', async () => {
    const name = await create();
    const { token } = await browser.token({ name: 'reader', scopes: ['endpoints:read'] });
    await browser.signIn(`${historyPage(name)}?revision=1`, token);
    await browser.page.getByRole('region', { name: /^Changes from/ }).waitFor();
    expect(await button(/^Restore/).count()).toBe(0);
    expect(await browser.page.getByText('Delete this saved query').count()).toBe(0);
  });

  test('has 500 revisions, page by page', async () => {
    const name = await create();
    const change = (n: number): Promise<unknown> =>
      browser.ask('PATCH', `/api/endpoints/${name}`, { max_rows: 10 + n }, { 'If-Match': '*' });
    for (let n = 0; n < 497; n += 7) await Promise.all(Array.from({ length: 7 }, (_, k) => change(n + k)));
    await browser.signIn(historyPage(name));
    await browser.page.getByRole('link', { name: 'Revision 500, the newest' }).waitFor();
    for (const oldest of [301, 201, 101, 1]) {
      await button('Older revisions').click();
      await browser.page.getByRole('link', { name: `Revision ${oldest}`, exact: true }).waitFor();
    }
    expect(await button('Older revisions').count()).toBe(0);
  });
});

describe('tokens', () => {
  test('are created with what they may do in words, and their text is shown once', async () => {
    await browser.signIn('/console/tokens');
    await browser.page.getByRole('link', { name: 'New token' }).click();
    await browser.page.getByLabel('Name', { exact: true }).fill(HTML);
    await button('A log shipper').click();
    await browser.page.getByText('It may send log events.').waitFor();
    await browser.page.getByLabel('Requests a minute').fill('many');
    await button('Create the token').click();
    await browser.page.locator('.field', { hasText: 'Requests a minute' }).locator('.wrong').waitFor();
    await browser.page.getByLabel('Requests a minute').fill('500');
    await button('Create the token').click();
    const secret = browser.page.getByRole('region', { name: 'Text of the token' });
    const text = (await secret.locator('pre').textContent()) ?? '';
    expect(text).toMatch(/^lqe_/);
    expect((await fetch(browser.at('/api/token'), { headers: { 'X-API-KEY': text } })).status).toBe(200);
    const kept = await browser.page.evaluate<string>(
      'JSON.stringify([{ ...sessionStorage }, location.href, history.state])'
    );
    expect(kept).not.toContain(text);
    await browser.page.getByRole('link', { name: 'Status' }).click();
    await browser.page.getByRole('dialog').getByText('is shown once').waitFor();
    await button('Stay on this page').click();
    await button('I have stored it').click();
    await browser.page.getByRole('heading', { name: HTML }).waitFor();
    expect(await browser.page.getByText(text).count()).toBe(0);
    expect(await browser.page.locator('main img').count()).toBe(0);
  });

  test('are changed, rotated and revoked', async () => {
    const { id, token } = await browser.token({
      name: 'changing',
      scopes: ['query'],
      fixed_parameters: { region: 'eu' },
    });
    await browser.signIn(`/console/tokens/${id}`);
    await browser.page.getByLabel('Rows at most').fill('12');
    await browser.page.getByLabel('Fixed parameters').fill('project=abcd');
    await button('Save the changes').click();
    await browser.page.getByText('The changes are saved.').waitFor();
    expect((await tokens()).find((each) => each.id === id)).toMatchObject({
      max_rows: 12,
      fixed_parameters: { project: 'abcd' },
    });
    await button('Rotate: a new text').click();
    await browser.page.getByLabel('The old text').selectOption({ label: 'ends at once' });
    await button('Rotate').click();
    const text = (await browser.page.locator('.secret pre').textContent()) ?? '';
    expect((await fetch(browser.at('/api/token'), { headers: { 'X-API-KEY': token } })).status).toBe(401);
    expect((await fetch(browser.at('/api/token'), { headers: { 'X-API-KEY': text } })).status).toBe(200);
    await button('I have stored it').click();
    await button('Revoke').click();
    await browser.page.keyboard.press('Escape');
    await button('Revoke').click();
    await button('Revoke the token').click();
    await button('Revoke').waitFor({ state: 'detached' });
    expect((await fetch(browser.at('/api/token'), { headers: { 'X-API-KEY': text } })).status).toBe(401);
  });

  test('cannot be given more than the token of the page has', async () => {
    const scopes = ['tokens:admin', 'query', 'endpoints:read'];
    const { token } = await browser.token({ name: 'small admin', scopes, tenant: 'abcd', max_rows: 5 });
    await browser.signIn('/console/tokens/new', token);
    await browser.page.getByLabel('Name', { exact: true }).fill('too much');
    expect(await browser.page.getByText('send log events').count()).toBe(0);
    expect(await browser.page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    await button('Create the token').click();
    await browser.page.getByText('token_exceeded').waitFor();
    await browser.page.goto(browser.at('/console/audit'));
    await browser.page.getByText('tenant_denied').waitFor();
  });

  test('are not for tokens without tokens:admin', async () => {
    const { id, token } = await browser.token({ name: 'reader', scopes: ['query', 'endpoints:read'] });
    for (const path of ['/console/tokens', '/console/tokens/new', `/console/tokens/${id}`, '/console/audit']) {
      await browser.signIn(path, token);
      await browser.page.getByText(/This token may not/).waitFor();
      expect(await browser.page.getByRole('link', { name: 'Tokens', exact: true }).count()).toBe(
        path.endsWith(id) || path.endsWith('new') ? 1 : 0
      );
    }
  });

  test('that are 1,000 are found by a word', async () => {
    for (let n = 0; n < 1000; n += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, k) => browser.token({ name: `many:${n + k}.`, scopes: ['query'] }))
      );
    await browser.signIn('/console/tokens');
    await browser.page
      .getByRole('status')
      .filter({ hasText: /1,0\d\d tokens/ })
      .waitFor();
    // A word that no random id contains.
    await browser.page.getByLabel('Search').fill('many:777.');
    await browser.page.getByText('1 token', { exact: true }).waitFor();
    expect(new URL(browser.page.url()).searchParams.get('text')).toBe('many:777.');
  });
});

describe('the audit trail', () => {
  test('is searched for a name with a blank', async () => {
    await browser.token({ name: 'log shipper', scopes: ['ingest'] });
    await browser.signIn('/console/audit');
    await browser.page.getByLabel('Saved query or token').pressSequentially('log shipper ');
    await button('Show').click();
    await browser.page.getByRole('link', { name: 'log shipper' }).waitFor();
    expect(new URL(browser.page.url()).searchParams.get('object')).toBe('log shipper');
  });

  test('says who did what, and is filtered by the object', async () => {
    const name = await create();
    const { id } = await browser.token({ name: 'audited', scopes: ['query'] });
    await browser.ask('PATCH', `/api/tokens/${id}`, { token: { max_rows: 500 }, message: HTML });
    await browser.signIn('/console/audit');
    await browser.page.getByLabel('Saved query or token').fill(name);
    await button('Show').click();
    const entries = browser.page.getByRole('list', { name: 'Entries' }).getByRole('listitem');
    await entries.filter({ hasText: `bootstrap changed the saved query ${name}: max_rows` }).waitFor();
    expect(await entries.count()).toBe(3);
    await browser.page.goto(browser.at(`/console/audit?object=${id}`));
    await entries.filter({ hasText: 'changed the token audited: rows at most from none to 500' }).waitFor();
    expect(await browser.page.locator('main img').count()).toBe(0);
    await browser.page.goto(browser.at(`/console/audit?since=nonsense`));
    await browser.page.getByText('parameter_invalid').waitFor();
  });

  test('is read page by page', async () => {
    for (let n = 0; n < 120; n++) await browser.token({ name: `paged ${n}`, scopes: ['query'] });
    await browser.signIn('/console/audit?action=token.create');
    const entries = browser.page.getByRole('list', { name: 'Entries' }).getByRole('listitem');
    await entries.nth(50).waitFor();
    const before = await entries.count();
    await button('Older entries').click();
    await entries.nth(before).waitFor();
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each(['history', 'tokens', 'new-token', 'token', 'audit'])(
    '%s: nothing that axe finds, and nothing wider than a phone',
    async (picture) => {
      const name = await create();
      const { id } = await browser.token({
        name: 'dashboard of the shop',
        scopes: ['query', 'adhoc'],
        tenant: 'abcd',
        expires_at: '90d',
      });
      const address = {
        history: `${historyPage(name)}?revision=1`,
        tokens: '/console/tokens',
        'new-token': '/console/tokens/new',
        token: `/console/tokens/${id}`,
        audit: '/console/audit',
      }[picture]!;
      await browser.open({ colorScheme });
      await browser.signIn(address, PROCESS_TOKEN);
      await browser.page.getByRole('heading', { level: 1 }).waitFor();
      await browser.page.locator('.diff, .list tbody tr, .scopes, .trail li').first().waitFor();
      expect(await browser.accessibilityProblems()).toEqual([]);
      await browser.keepPicture(`${picture}-${colorScheme}`);
      expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
      await browser.keepPicture(`${picture}-phone-${colorScheme}`);
    }
  );

  test.each(['secret', 'revoke', 'delete'])(
    '%s: nothing that axe finds, and nothing wider than a phone',
    async (state) => {
      const name = await create();
      const { id } = await browser.token({ name: `rotated ${'x'.repeat(60)}`, scopes: ['query'] });
      await browser.open({ colorScheme });
      await browser.signIn(state === 'delete' ? historyPage(name) : `/console/tokens/${id}`);
      if (state === 'delete') await browser.page.getByText('Delete this saved query').click();
      else await button(state === 'revoke' ? 'Revoke' : 'Rotate: a new text').click();
      if (state === 'secret') {
        await button('Rotate').click();
        await browser.page.getByRole('region', { name: 'Text of the token' }).waitFor();
      }
      expect(await browser.accessibilityProblems()).toEqual([]);
      await browser.keepPicture(`${state}-${colorScheme}`);
      expect(await browser.widthOnPhone()).toBeLessThanOrEqual(360);
      await browser.keepPicture(`${state}-phone-${colorScheme}`);
    }
  );
});
