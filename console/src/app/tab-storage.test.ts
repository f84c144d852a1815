/** A browser may give a page no storage: the console works without it until it is reloaded. */
import { tabStorage } from './tab-storage';

const give = (sessionStorage: object): void => {
  Object.assign(globalThis, { window: Object.defineProperty({}, 'sessionStorage', sessionStorage) });
};
const refuse = (name: string) => (): never => {
  throw new DOMException('refused', name);
};

afterEach(() => Reflect.deleteProperty(globalThis, 'window'));

test.each([
  ['cookies are blocked', { get: refuse('SecurityError') }],
  [
    'there is no room',
    { value: { getItem: () => null, removeItem: () => undefined, setItem: refuse('QuotaExceededError') } },
  ],
])('a text is kept in memory when %s', (_, sessionStorage) => {
  give(sessionStorage);
  expect(tabStorage.write('key', 'text')).toBe(false);
  expect(tabStorage.read('key')).toBe('text');
  expect(tabStorage.keys()).toContain('key');
  tabStorage.remove('key');
  expect([tabStorage.read('key'), tabStorage.keys().includes('key')]).toEqual([null, false]);
});

test('a text is in the storage of the tab when there is room again', () => {
  const stored: Record<string, string> = {};
  give({ get: refuse('SecurityError') });
  tabStorage.write('key', 'first');
  give({
    value: {
      getItem: (key: string) => stored[key] ?? null,
      setItem: (key: string, text: string) => (stored[key] = text),
    },
  });
  expect(tabStorage.write('key', 'second')).toBe(true);
  expect([tabStorage.read('key'), stored]).toEqual(['second', { key: 'second' }]);
});
