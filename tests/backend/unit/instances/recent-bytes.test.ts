import { createRecentBytes } from '#backend/instances/recent-bytes';
import { rememberLast } from '#backend/frames/remember-last';

/** Bytes in memory of their own, as those of responses. */
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

test('equal bytes of equal requests are one object, other bytes replace it', () => {
  const recent = createRecentBytes();
  const first = bytesOf('rows');

  expect(recent.unify('a', first)).toBe(first);
  expect(recent.unify('a', bytesOf('rows'))).toBe(first);
  const changed = bytesOf('rowz');
  expect(recent.unify('a', changed)).toBe(changed);
  expect(recent.unify('a', bytesOf('rowz'))).toBe(changed);
  expect(recent.unify('a', bytesOf('rows'))).not.toBe(first);
});

test('requests with different keys share nothing', () => {
  const recent = createRecentBytes();
  const first = recent.unify('1/source {}', bytesOf('rows'));
  expect(recent.unify('2/source {}', bytesOf('rows'))).not.toBe(first);
});

test('the memory of recent bytes is bounded, and the oldest are dropped first', () => {
  const recent = createRecentBytes(29, 20);
  const [a, b] = [recent.unify('a', bytesOf('12345678')), recent.unify('b', bytesOf('12345678'))];
  expect(recent.unify('a', bytesOf('12345678'))).toBe(a);
  recent.unify('c', bytesOf('12345678'));

  expect(recent.unify('a', bytesOf('12345678'))).toBe(a);
  expect(recent.unify('b', bytesOf('12345678'))).not.toBe(b);
  const large = recent.unify('d', bytesOf('x'.repeat(19)));
  expect(recent.unify('d', bytesOf('x'.repeat(19)))).not.toBe(large);
});

test('what is made of an object is made again for another detail only', () => {
  const [texts, counts] = [rememberLast<object, string>(), rememberLast<object, number>()];
  const [one, other] = [{}, {}];
  texts.set(one, 'a', 'text');
  counts.set(one, 'a', 1);
  counts.set(one, 'b', 2);

  expect([texts.get(one, 'a'), counts.get(one, 'a'), counts.get(one, 'b')]).toEqual(['text', undefined, 2]);
  expect([texts.get(other, 'a'), Object.keys(one)]).toEqual([undefined, []]);
});
