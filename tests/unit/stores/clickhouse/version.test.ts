import { versionProblem } from '#server/stores/clickhouse/connection/version';

it.each([
  ['24.8.14.39', 'too old'],
  ['26.2.99.1', 'too old'],
  ['26.3.61.9', 'a vulnerability'],
  ['26.3.62.2', 'closed in 26.3.62.3, 26.8.36.3, 26.9.27.3 and 26.10.3.7'],
  ['26.3.62.3', null],
  ['26.3.63.1', null],
  ['26.5.3.1', 'a vulnerability'],
  ['26.7.2.1', 'a vulnerability'],
  ['26.8.35.4', 'a vulnerability'],
  ['26.8.36.3', null],
  ['26.9.26.1', 'a vulnerability'],
  ['26.9.27.3', null],
  ['26.10.1.1', 'a vulnerability'],
  ['26.10.3.6', 'a vulnerability'],
  ['26.10.3.7', null],
  ['26.11.1.1', null],
  ['27.1.1.1', null],
  ['', 'too old'],
])('the problem of ClickHouse release %j is %s', (version, words) => {
  const problem = versionProblem(version);
  if (words === null) expect(problem).toBeNull();
  else expect(problem).toMatchObject({ isFatal: words === 'too old', message: expect.stringContaining(words) });
});
