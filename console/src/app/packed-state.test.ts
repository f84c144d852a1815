/** Long texts in the address of the page. */
import { withState } from './links';
import { packState, unpackState } from './packed-state';

test.each([
  ['short', '%20 a&b=c#d', false],
  ['long and of ASCII', 'select 1 '.repeat(29_000), false],
  ['long and of other characters', '日本語'.repeat(83_334), true],
  ['long and of characters with two units', '😀'.repeat(131_072), true],
])('a text that is %s is in the address, which no browser cuts', (_, text, isPacked) => {
  const entries = [
    ['p.project', 'acorn'],
    ['sql', text],
  ] as const;
  const fragment = packState(entries);
  expect(fragment.startsWith('packed=')).toBe(isPacked);
  expect(fragment.length).toBeLessThan(1_001_000);
  expect(fragment).toMatch(/^[\x21-\x7e]*$/);
  const read = new URLSearchParams(unpackState(fragment));
  expect([...read]).toEqual(entries);
});

test('a link has its long texts packed in the fragment, and the short ones before it', () => {
  const [search, fragment] = withState('/console', { view: 'call', sql: '語'.repeat(250_000) }).split('#');
  expect(search).toBe('/console?view=call');
  expect(new URLSearchParams(unpackState(fragment!)).get('sql')).toHaveLength(250_000);
});

test.each(['packed=', 'packed=%', 'packed=bnVsbA==', 'packed=eyJh'])(
  'a damaged address, %s, has a state that says so',
  (fragment) => {
    expect(unpackState(fragment)).toBe('packed=');
  }
);
