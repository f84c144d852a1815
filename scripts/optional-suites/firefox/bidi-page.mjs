/** A page of a Firefox, driven over WebDriver BiDi, which every Firefox speaks. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_MS = 60_000;
const WAIT_MS = 20_000;

/**
 * @typedef {object} FirefoxPage
 * @property {(url: string) => Promise<unknown>} open
 * @property {(expression: string) => Promise<unknown>} evaluate
 * @property {(expression: string) => Promise<void>} until waits for an expression to be true
 * @property {readonly string[]} errors what the page logged as an error
 * @property {() => void} close
 */

/** @param {string} program @returns {Promise<FirefoxPage>} */
export async function openFirefox(program) {
  const profile = mkdtempSync(join(tmpdir(), 'lqe-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await listening(child);
  const socket = new globalThis.WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`${program} refused the connection`)));
  });
  /** @type {string[]} */
  const errors = [];
  const send = commands(socket, errors);
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = await send('browsingContext.getTree', {});
  const context = contexts[0].context;

  /** @param {string} expression */
  const evaluate = async (expression) => {
    const answer = await send('script.evaluate', { expression, target: { context }, awaitPromise: true });
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
    return answer.result.value;
  };
  return {
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    evaluate,
    until: async (expression) => {
      for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
        if ((await evaluate(expression).catch(() => false)) === true) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const text = await evaluate('document.body.innerText.slice(0, 500)');
      throw new Error(`${expression} did not become true; the page says:\n${String(text)}`);
    },
    errors,
    close: () => {
      socket.close();
      child.once('exit', () => rmSync(profile, { recursive: true, force: true }));
      child.kill();
    },
  };
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} */
function listening(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`Firefox did not start: ${output}`)), START_MS);
    child.once('error', reject);
    child.stderr?.on('data', (chunk) => {
      output += String(chunk);
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

/**
 * @param {WebSocket} socket
 * @param {string[]} errors
 * @returns {(method: string, params: object) => Promise<any>}
 */
function commands(socket, errors) {
  let last = 0;
  /** @type {Map<number, (message: any) => void>} */
  const waiting = new Map();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.id !== undefined && message.id !== null) waiting.get(message.id)?.(message);
    else if (message.method === 'log.entryAdded' && message.params.level === 'error') errors.push(message.params.text);
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, (message) => {
        waiting.delete(id);
        if (message.type === 'error') reject(new Error(`${method}: ${message.message}`));
        else resolve(message.result);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
}
