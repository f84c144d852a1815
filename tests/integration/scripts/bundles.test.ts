/** The programs that the build makes of the server: bundles, with the code that V8 has made of them. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import buildServer from '../../support/processes/build-server';
import { createPlace, type Place, runServer, startService } from '../../support/servers/spawned';

const BUILD = path.resolve(__dirname, '..', '..', '..', 'build');

/** Prints whether V8 refuses the code beside a bundle, which the launcher wraps in the same way. */
const CHECK = `
  const { readFileSync } = require('node:fs');
  const [, bundle] = process.argv;
  const source = '(function (exports, require, module, __filename, __dirname) {' + readFileSync(bundle, 'latin1') + '\\n})';
  const cachedData = readFileSync(bundle + '.code');
  console.log(new (require('node:vm').Script)(source, { filename: bundle, cachedData }).cachedDataRejected);
`;

let place: Place;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
}, 120_000);

afterAll(() => place.remove());

it('the command line tool can be run after a build, as `npx lqe` does', () => {
  expect(statSync(path.join(BUILD, 'bin', 'lqe.js')).mode & 0o111).toBe(0o111);
});

describe('a bundle', () => {
  it.each(['server', 'lqe'])('of %s starts with the code that was recorded', (name) => {
    expect(isCodeRefused(`bin/${name}.bundle.js`, [])).toBe('false');
  });

  it('of the engine starts with the code that was recorded with its flags', async () => {
    const service = await startService(place);
    const { pid } = service.child;
    const [engine] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const words = readFileSync(`/proc/${engine}/cmdline`, 'utf8').split('\0');
    await service.stop();
    expect(words.some((word) => word.endsWith(path.join('build', 'process', 'main.js')))).toBe(true);
    const flags = words.filter((word) => word.startsWith('--'));
    expect(isCodeRefused('process/main.bundle.js', flags)).toBe('false');
  });

  it('names the sources in a stack', async () => {
    const fault = path.join(place.folder, 'fault.cjs');
    writeFileSync(fault, "require('node:fs').mkdirSync = () => { throw new Error('an unexpected failure'); };");
    const absent = path.join(place.folder, 'absent');
    const { code, output } = await runServer(place, { NODE_OPTIONS: `--require ${fault}`, LQE_DATA_DIR: absent });
    expect(code).toBe(1);
    expect(output).toMatch(/^Error: an unexpected failure$/m);
    expect(output).toMatch(/^ {4}at createContext \(server\/app\/create-context\.ts:\d+:\d+\)$/m);
    expect(output).toMatch(/^ {4}at main \(server\/main\.ts:\d+:\d+\)$/m);
  });
});

function isCodeRefused(bundle: string, flags: readonly string[]): string {
  return execFileSync(process.execPath, [...flags, '-e', CHECK, path.join(BUILD, bundle)], { encoding: 'utf8' }).trim();
}
