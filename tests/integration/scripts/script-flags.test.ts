/** Flags of the scripts that people start by hand. */
import { startProcess } from './script-process';

async function run(script: string, ...args: string[]): Promise<{ code: number | null; text: string }> {
  const running = startProcess(`scripts/${script}.mjs`, args);
  return { code: await running.exited, text: running.text() };
}

test.each([
  ['quickstart', ['--port', '9'], "Unknown option '--port'."],
  ['quickstart', ['9000'], "Unexpected argument '9000'."],
  ['demo', ['--days'], "Option '--days <value>' argument missing."],
])('%s %j is refused with the flags that there are', async (script, args, reason) => {
  const { code, text } = await run(script, ...args);
  expect(code).toBe(1);
  expect(text.split('\n').slice(0, 3)).toEqual([reason, '', `Usage: npm run ${script} -- [flags]`]);
});

test.each([
  ['quickstart', ['--edge-requests', '--profile']],
  ['demo', ['--days', '--seed']],
])('%s --help names its flags and starts nothing', async (script, flags) => {
  const { code, text } = await run(script, '--help');
  expect([code, [...text.matchAll(/^ {2}(--\S+)/gm)].map(([, flag]) => flag)]).toEqual([0, flags]);
});

test('a value that a flag does not take is named', async () => {
  expect(await run('quickstart', '--profile', 'host')).toEqual({
    code: 1,
    text: '--profile must be one of standard, hosted.\n',
  });
});

test.each([
  ['quickstart', { LQE_STORE: 'clickhouse' }, 'Unset LQE_STORE, or use npm start.'],
  ['quickstart', { LQE_CATALOG_URL: 'postgres://127.0.0.1:1/none' }, 'Unset LQE_CATALOG_URL, or use npm start.'],
  ['demo', { LQE_CATALOG_URL: 'postgres://127.0.0.1:1/none' }, 'Unset LQE_CATALOG_URL, or use npm start.'],
])('%s with %j is refused before it makes a token', async (script, env, reason) => {
  const running = startProcess(`scripts/${script}.mjs`, [], env);
  expect(await running.exited).toBe(1);
  expect(running.text()).toBe(`npm run ${script} keeps its data in a folder. ${reason}\n`);
});
