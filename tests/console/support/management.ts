/** What the tests of history, tokens and audit trail share. */
import type { Locator } from 'playwright-core';
import { type ConsolePage, consoleForTests } from './console-page';

/** Markup in the place of a text: it must be shown as text. */
export const HTML = '<img src=x onerror=alert(1)>';

export const managementForTests = (): ConsolePage =>
  consoleForTests({ LQE_MAX_CHANGES_PER_MINUTE: '100000', LQE_MAX_REQUESTS_PER_MINUTE: '100000' });

let count = 0;

/** A saved query with three revisions. @returns its name */
export async function createRevised(browser: ConsolePage): Promise<string> {
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

export const historyPage = (name: string): string => `/console/queries/${name}/history`;

export const buttonOf = (browser: ConsolePage, name: string | RegExp): Locator =>
  browser.page.getByRole('button', { name, exact: true });
