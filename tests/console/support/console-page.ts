/** The console in a real browser, with a real service behind it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { type SampleService, startSampleService } from '../../backend/support/sample-service';
import { PROCESS_TOKEN } from '../../support/servers/spawned';
import { findChromium } from '../../workbench/find-chromium';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** What the browser itself reports of an answer that is not a success, and of a network that is off. */
const REFUSED_ANSWER =
  /^Failed to load resource: (the server responded with a status of 4|net::ERR_INTERNET_DISCONNECTED)/;

const REFUSED_CONNECTION = /^Failed to load resource: net::ERR_/;

interface AxeReport {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

export class ConsolePage {
  private sample: SampleService | null = null;
  private browser: Browser | null = null;
  private opened: { readonly context: BrowserContext; readonly page: Page } | null = null;
  /** Errors and warnings of the browser's console, and dialogs. */
  private problems: string[] = [];

  get page(): Page {
    return this.current.page;
  }

  get context(): BrowserContext {
    return this.current.context;
  }

  get service(): SampleService {
    if (this.sample === null) throw new Error('the service was not started');
    return this.sample;
  }

  /** @param env settings of the service */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.sample = await startSampleService(env);
    this.browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.sample?.stop();
  }

  /** A new browser profile with one page. */
  async open(options: ContextOptions = {}): Promise<void> {
    if (this.browser === null) throw new Error('the browser was not started');
    await this.opened?.context.close();
    const viewport = { width: 1280, height: 900 };
    const context = await this.browser.newContext({ viewport, acceptDownloads: true, ...options });
    this.opened = { context, page: await context.newPage() };
    this.problems = [];
    this.watch(this.opened.page);
  }

  /** @returns what the browser reported since `open` */
  async close(): Promise<readonly string[]> {
    await this.opened?.context.close();
    this.opened = null;
    return this.problems;
  }

  /** @param address path and query string */
  at(address: string): string {
    return `${this.service.service.url}${address}`;
  }

  async signIn(address = '/', token = PROCESS_TOKEN): Promise<void> {
    await this.page.goto(this.at(`/#token=${token}`));
    await this.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    if (address !== '/') await this.page.goto(this.at(address));
  }

  /** A page of another browser profile, signed in. It is closed with the browser. */
  async anotherPerson(token = PROCESS_TOKEN): Promise<Page> {
    if (this.browser === null) throw new Error('the browser was not started');
    const page = await (await this.browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    this.watch(page);
    await page.goto(this.at(`/#token=${token}`));
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return page;
  }

  /** Opens the page of a saved query and runs it. */
  async run(address: string): Promise<void> {
    await this.signIn(address);
    await this.page.getByRole('button', { name: /^Run / }).click();
    await this.page.getByRole('region', { name: /^(Rows|Log lines)$/ }).waitFor();
  }

  /** The text field of an editor, which is in a shadow tree. */
  editor(name = 'Query text'): Locator {
    return this.page.getByRole('textbox', { name });
  }

  /** Pastes a text where the focus is, as the keyboard does. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate(`{
      const focused = document.activeElement;
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      (focused.shadowRoot?.activeElement ?? focused).dispatchEvent(event);
    }`);
  }

  /** Asks the API with the token of the process. @throws with the answer of a request that fails */
  async ask<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {}
  ): Promise<T> {
    const answer = await fetch(this.at(path), {
      method,
      headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** A new access token with these fields. */
  async token(fields: object): Promise<{ readonly id: string; readonly token: string }> {
    const { result } = await this.ask<{ result: { id: string; token: string } }>('POST', '/api/tokens', fields);
    return result;
  }

  /** What axe finds on the page as it is. */
  async accessibilityProblems(): Promise<readonly string[]> {
    await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate<AxeReport>('axe.run()');
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  }

  /** CSS pixels that the page takes on a phone; 360 when nothing is wider than its screen. */
  async widthOnPhone(): Promise<number> {
    await this.page.setViewportSize({ width: 360, height: 740 });
    return this.page.evaluate<number>('document.documentElement.scrollWidth');
  }

  /** For a test that stops the service: the browser reports each connection that is refused. */
  forgetRefusedConnections(): void {
    this.forgetProblems(REFUSED_CONNECTION);
  }

  /** For a test of a failure that the browser or React reports. */
  forgetProblems(expected: RegExp): void {
    this.problems = this.problems.filter((problem) => !expected.test(problem));
  }

  /** Waits for a parameter of the address: changes of a page are written to it a moment later. */
  async addressHas(name: string, text: string): Promise<void> {
    await this.page.waitForURL((url) => url.searchParams.get(name) === text, { waitUntil: 'commit' });
  }

  /** Keeps a picture in the folder of `LQE_SCREENSHOTS`; without it, none. */
  async keepPicture(name: string): Promise<void> {
    const folder = process.env['LQE_SCREENSHOTS'];
    if (folder === undefined) return;
    await this.page.screenshot({ path: path.join(ROOT, folder, `console-${name.replace(/\W/g, '-')}.png`) });
  }

  private get current(): { readonly context: BrowserContext; readonly page: Page } {
    if (this.opened === null) throw new Error('no page was opened');
    return this.opened;
  }

  private watch(page: Page): void {
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('dialog', (dialog) => {
      // The browser asks before it leaves a page with unsaved changes: the console does so in all other cases.
      if (dialog.type() === 'beforeunload') void dialog.accept();
      else this.problems.push(`dialog: ${dialog.message()}`);
    });
    page.on('console', (message) => {
      const isProblem = message.type() === 'error' || message.type() === 'warning';
      if (isProblem && !REFUSED_ANSWER.test(message.text())) this.problems.push(message.text());
    });
  }
}

/** A console for the tests of this file: a new page for each test, which fails when the browser reports a problem. */
export function consoleForTests(env: Readonly<Record<string, string>> = {}): ConsolePage {
  const opened = new ConsolePage();
  jest.setTimeout(150_000);
  beforeAll(() => opened.start(env), 120_000);
  afterAll(() => opened.stop(), 60_000);
  beforeEach(() => opened.open());
  afterEach(async () => {
    expect(await opened.close()).toEqual([]);
  });
  return opened;
}
