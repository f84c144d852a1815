/**
 * History of saved queries and the audit trail in a real browser, with a real service behind it.
 *
 * @slow 60
 */
import type { SavedQuery } from '#contract/queries/saved-query';
import { buttonOf, createRevised, historyPage, HTML, managementForTests } from './support/management';

const browser = managementForTests();
const button = (name: string | RegExp) => buttonOf(browser, name);
const create = (): Promise<string> => createRevised(browser);
const stored = async (name: string): Promise<SavedQuery> =>
  (await browser.ask<{ result: SavedQuery }>('GET', `/api/endpoints/${name}`)).result;

describe('the history', () => {
  test('shows what a revision changed, word by word, and restores it', async () => {
    const name = await create();
    await browser.signIn(historyPage(name));
    await browser.page.getByRole('link', { name: 'Revision 1', exact: true }).click();
    const diff = browser.page.getByRole('region', { name: 'Changes from revision 1 to 3' });
    await diff.getByText('t.event_message').waitFor();
    expect(await diff.locator('.added mark').allTextContents()).toEqual([', t.event_message']);
    await browser.addressHas('revision', '1');
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
    await browser.page.goto(browser.at('/console/queries'));
    await browser.page.getByLabel('Search').fill(name);
    await browser.page.getByRole('link', { name: 'history' }).click();
    await browser.page.getByText('no caller uses it – deleted').waitFor();
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

test('characters that reverse a text are seen where a change is read', async () => {
  const [name, text] = ['reversing.q', 'a \u202e b'];
  const query = (n: number): string => `select ${n} as n -- ${text}`;
  await browser.ask('POST', '/api/endpoints', {
    definition: { name, query: query(1), description: text },
    message: text,
  });
  await browser.ask('PATCH', `/api/endpoints/${name}`, { query: query(2) }, { 'If-Match': '*' });
  await browser.signIn();
  for (const [address, place] of [
    ['/console/queries', '.list'],
    [`/console/queries/${name}?view=definition`, 'pre'],
    [`/console/queries/${name}?view=call&sql=${encodeURIComponent(text)}`, '.example'],
    [`${historyPage(name)}?revision=1`, '.diff'],
    [`${historyPage(name)}?revision=1&with=none`, 'pre'],
    ['/console/audit', '.trail'],
  ]) {
    await browser.page.goto(browser.at(address!));
    await browser.page.locator(`${place} .reversing`).first().waitFor();
    expect(await browser.page.locator('main').textContent()).not.toContain('\u202e');
  }
});

describe('the audit trail', () => {
  test('is searched for a name with a blank', async () => {
    await browser.token({ name: 'log shipper', scopes: ['ingest'] });
    await browser.signIn('/console/audit');
    await browser.page.getByLabel('Saved query, source or token').pressSequentially('log shipper ');
    await button('Show').click();
    await browser.page.getByRole('link', { name: 'log shipper' }).waitFor();
    await browser.addressHas('object', 'log shipper');
    // The same filter reads what has happened since.
    await browser.token({ name: 'log shipper', scopes: ['ingest'] });
    await button('Show').click();
    await browser.page.getByRole('link', { name: 'log shipper' }).nth(1).waitFor();
  });

  test('says who did what, and is filtered by the object', async () => {
    const name = await create();
    // Its tenant looks like a time, but no such time exists.
    const { id } = await browser.token({ name: 'audited', scopes: ['query'], tenant: '2026-99-99T00:00:00Z' });
    await browser.ask('PATCH', `/api/tokens/${id}`, { token: { max_rows: 500 }, message: HTML });
    await browser.signIn('/console/audit');
    const object = browser.page.getByLabel('Saved query, source or token');
    await object.fill(name);
    await object.press('Enter');
    const entries = browser.page.getByRole('list', { name: 'Entries' }).getByRole('listitem');
    await entries.filter({ hasText: `bootstrap changed the saved query ${name}: max_rows` }).waitFor();
    expect(await entries.count()).toBe(3);
    expect(await object.and(browser.page.locator(':focus')).count()).toBe(1);
    await browser.page.goBack();
    await entries.nth(3).waitFor();
    expect(await object.inputValue()).toBe('');
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
