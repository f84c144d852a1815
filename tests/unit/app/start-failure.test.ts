import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeStartFailure } from '#server/app/lifecycle/start-failure';
import { loadServerKey } from '#server/catalog/tokens/secrets/server-key';

let dir: string;
beforeEach(() => (dir = mkdtempSync(path.join(tmpdir(), 'lqe-start-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** What is printed, with the folder of the test as `<dir>`. */
function printed(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    return describeStartFailure(error).replaceAll(dir, '<dir>');
  }
  throw new Error('the start did not fail');
}

it('a data folder that cannot be made is named with its setting, without a stack', () => {
  const file = path.join(dir, 'file');
  writeFileSync(file, '');
  expect(printed(() => loadServerKey(file))).toBe(
    "The data folder (LQE_DATA_DIR) cannot be used: EEXIST: file already exists, mkdir '<dir>/file'." +
      ' The user of the server must be able to read and write it.'
  );
});

it('a data folder below /proc, which takes no new names, is refused at once', () => {
  expect(printed(() => loadServerKey('/proc/lqe/data'))).toMatch(
    /^The data folder .*: ENOENT: .*, mkdir '\/proc\/lqe'/
  );
});

it('folders above the data folder are made with it, for its owner only', () => {
  const dataDir = path.join(dir, 'a', 'b');
  loadServerKey(dataDir);
  for (const made of [path.dirname(dataDir), dataDir]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

it.each(['', 'abc', `${'A'.repeat(64)}\n`])('a file of the server key with %j says what to do', (text) => {
  writeFileSync(path.join(dir, 'server.key'), text);
  expect(printed(() => loadServerKey(dir))).toMatch(
    /^<dir>\/server\.key does not hold a server key .*Put the file of a backup in its place\. [^\n]*$/
  );
});

it('an unexpected failure is printed with its stack', () => {
  expect(describeStartFailure(new TypeError('x is not a function'))).toMatch(/^TypeError: x is not a function\n +at /);
});
