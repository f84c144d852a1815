import { callPath } from '#server/http/parsing/paths/call-path';

test.each([
  ['/api/endpoints/query/logs.all', '/api/endpoints/query/logs.all'],
  ['/api/endpoints/query/logs.all?sql=select%201', '/api/endpoints/query/logs.all'],
  ['/api/endpoints/query/a%2Fb?x=?', '/api/endpoints/query/a%2Fb'],
  ['/api/endpoints/query/', '/api/endpoints/query/'],
  ['/api/endpoints/query/a/b', '/api/endpoints/query/a/b'],
])('the path of %s is found without Express', (target, path) => {
  expect(callPath(target)).toBe(path);
});

test.each([
  ['another route', '/api/endpoints/query'],
  ['an absolute target', 'http://host/api/endpoints/query/logs.all'],
  ['a fragment', '/api/endpoints/query/logs.all#rows'],
  ['a space that no space is', '/api/endpoints/query/logs\u00a0all'],
  ['bytes that are no ASCII', '/api/endpoints/query/log\u00e9'],
  ['an empty target', ''],
])('Express reads %s', (_what, target) => {
  expect(callPath(target)).toBeNull();
});
