/** The calls that the console writes for Python, as Python runs them. */
import { consoleForTests } from '../console/support/console-page';
import { exampleOf, outputOf, TEXT, WRITTEN } from '../console/support/written-calls';

const { LQE_PYTHON: PYTHON = 'python3' } = process.env;
const browser = consoleForTests();

test.each(WRITTEN)('a text %s is run by Python', async (_where, sql) => {
  const script = (await exampleOf(browser, 'Python', sql)).replace('print(row)', 'print(json.dumps(row))');
  expect(JSON.parse(await outputOf(PYTHON, ['-c', script]))).toEqual({ text: TEXT, n: 120 });
});
