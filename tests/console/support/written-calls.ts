/** The texts that calls of other programs are tried with, and the calls that the console writes for them. */
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { PROJECT } from '../../backend/support/sample-service';
import { PROCESS_TOKEN } from '../../support/servers/spawned';
import type { ConsolePage } from './console-page';

export const LOGS = `/console/queries/logs.all?p.project=${PROJECT}`;
/** Quotes and characters that each language writes in another way. */
export const TEXT = `it's "a" \\ $x \`y\` %20 & 😀\nü`;
export const SHORT = `select '''${TEXT.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}''' as text, count(*) as n from edge_logs`;
/** Longer than an address may be. */
const LONG = `${SHORT} -- ${'x'.repeat(20_000)}`;

export const WRITTEN = [
  ['in an address', SHORT],
  ['in a body', LONG],
] as const;

const run = promisify(execFile);

/** @returns what a program writes that has the token in its environment */
export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  return (await run(program, args, { env: { ...process.env, LQE_TOKEN: PROCESS_TOKEN } })).stdout;
}

/** @returns the call of a text, for the program of that title */
export async function exampleOf(browser: ConsolePage, title: string, sql: string): Promise<string> {
  await browser.signIn(`${LOGS}&sql=${encodeURIComponent(sql.slice(0, SHORT.length))}`);
  if (sql.length > SHORT.length) {
    await browser.editor().click();
    await browser.page.keyboard.press('Control+End');
    await browser.page.keyboard.insertText(sql.slice(SHORT.length));
  }
  await browser.page.getByRole('tab', { name: 'Call it' }).click();
  const text = await browser.page.getByLabel(title, { exact: true }).textContent();
  expect(text).not.toContain(PROCESS_TOKEN);
  return text!;
}
