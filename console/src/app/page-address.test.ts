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

/** As many changes as are written at once. */
const typeMany = (address: typeof PageAddress): void => {
  for (let count = 1; count <= 10; count++) type(address, 'x'.repeat(count));
};

test('some quick changes are written at once, and as many again after a pause', () => {
  const address = load();
  for (let round = 0; round < 2; round++) {
    typeMany(address);
    expect(location.search).toBe(`?sql=${'x'.repeat(10)}`);
    type(address, 'later');
    expect(location.search).not.toBe('?sql=later');
    jest.advanceTimersByTime(20 * 350);
    expect(location.search).toBe('?sql=later');
  }
});

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
  expect(written.size).toBeLessThan(45);
  // The first ones are written, and the browser tells of them.
  expect(seen).toHaveBeenCalledTimes(290);
  jest.advanceTimersByTime(350);
  expect(location.search).toBe(`?sql=${'x'.repeat(300)}`);
});

test('a change that waits is written before the page has another address, and dropped after going back', () => {
  const address = load();
  typeMany(address);
  type(address, 'ab');
  address.writeNow();
  expect(location.search).toBe('?sql=ab');
  type(address, 'abc');
  Object.assign(location, { search: '?sql=before' });
  for (const listener of onPop) listener();
  jest.advanceTimersByTime(1_000);
  expect([location.search, address.current.search]).toEqual(['?sql=before', '?sql=before']);
});
