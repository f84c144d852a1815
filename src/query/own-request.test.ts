import { lastHour, ownRequest } from './own-request';

test('no two requests have one id: the host would cancel the first', () => {
  const ids = Array.from({ length: 100 }, () => ownRequest({ refId: 'tag-values' }, lastHour()).requestId);
  expect(new Set(ids).size).toBe(ids.length);
});
