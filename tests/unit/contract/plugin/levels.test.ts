import { levelOf } from '#contract/plugin/levels';

test.each([
  ['60', 'critical'],
  ['50', 'error'],
  ['40', 'warning'],
  ['30', 'info'],
  ['20', 'debug'],
  ['10', 'trace'],
  ['35', '35'],
  ['warn', 'warning'],
])('the level %s of a logger is %s', (level, name) => {
  expect(levelOf({ level }, {})).toBe(name);
});

test('the level of a logger outranks the status of the request', () => {
  expect(levelOf({ level: '30', 'response.status_code': '500' }, {})).toBe('info');
});
