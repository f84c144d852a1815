/** A browser ignores more than 200 changes of its address within ten seconds. */
import type { pageAddress as PageAddress } from './page-address';

const location = { search: '', hash: '', href: 'http://127.0.0.1:8080/console/queries' };

function load(): typeof PageAddress {
  let loaded: typeof PageAddress | undefined;
  jest.isolateModules(() => {
    loaded = jest.requireActual<{ pageAddress: typeof PageAddress }>('./page-address').pageAddress;
  });
  return loaded!;
}

const onPop: Array<() => void> = [];

beforeEach(() => {
  jest.useFakeTimers();
  const addEventListener = (_: string, listener: () => void): void => void onPop.push(listener);
  Object.assign(globalThis, { window: { location, addEventListener } });
  Object.assign(location, { search: '' });
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'window');
});

const type = (address: typeof PageAddress, text: string): void => {
  const search = `?sql=${text}`;
  address.replace(`/console/queries${search}`, () => Object.assign(location, { search }));
};

test('every change is seen at once, and few are written while a key is kept down', () => {
  const address = load();
  const written = new Set<string>();
  const seen = jest.fn();
  address.onChange(seen);
  for (let count = 1; count <= 300; count++) {
    type(address, 'x'.repeat(count));
    expect(address.current.search).toBe(`?sql=${'x'.repeat(count)}`);
    written.add(location.search);
    jest.advanceTimersByTime(33);
  }
  expect(written.size).toBeLessThan(35);
  // The first one is written, and the browser tells of it.
  expect(seen).toHaveBeenCalledTimes(299);
  jest.advanceTimersByTime(350);
  expect(location.search).toBe(`?sql=${'x'.repeat(300)}`);
});

test('a change that waits is written before the page has another address, and dropped after going back', () => {
  const address = load();
  for (const text of ['a', 'ab']) type(address, text);
  address.writeNow();
  expect(location.search).toBe('?sql=ab');
  type(address, 'abc');
  Object.assign(location, { search: '?sql=before' });
  for (const listener of onPop) listener();
  jest.advanceTimersByTime(1_000);
  expect([location.search, address.current.search]).toEqual(['?sql=before', '?sql=before']);
});
