import { type FlightHandle, SingleFlight } from '#server/cache/single-flight';
import { settle } from '../../support/fakes/clock';

interface Started {
  readonly handle: FlightHandle;
  resolve(value: string): void;
  reject(error: Error): void;
}

function createFlights() {
  const flights = new SingleFlight<string>();
  const started: Started[] = [];
  const board = (options: { key?: string; owner?: string; forceNew?: boolean; signal?: AbortSignal } = {}) =>
    flights.join(
      {
        key: options.key ?? 'k',
        group: 'g',
        owner: options.owner ?? 'a',
        forceNew: options.forceNew ?? false,
        start: (handle) => new Promise((resolve, reject) => started.push({ handle, resolve, reject })),
      },
      options.signal ?? new AbortController().signal
    );
  return { flights, started, board };
}

it('equal work at the same time is done once, and all callers get its result', async () => {
  const { started, board } = createFlights();
  const seats = Array.from({ length: 200 }, (_, index) => board({ owner: `t${index}` }));
  await settle();
  expect(started).toHaveLength(1);
  started[0]!.resolve('rows');
  expect(new Set(await Promise.all(seats.map(({ outcome }) => outcome)))).toEqual(new Set(['rows']));
  expect(seats.filter(({ joined }) => !joined)).toHaveLength(1);
  expect(new Set(seats.map(({ owner }) => owner))).toEqual(new Set(['t0']));
});

it('work with another key is done separately, and finished work is not joined', async () => {
  const { started, board } = createFlights();
  const first = board();
  board({ key: 'other' });
  await settle();
  expect(started).toHaveLength(2);
  started[0]!.resolve('1');
  await first.outcome;
  await settle();
  expect(board().joined).toBe(false);
});

it('all joined callers get the failure, and the next caller starts again', async () => {
  const { started, board } = createFlights();
  const outcomes = Promise.allSettled([board(), board()].map(({ outcome }) => outcome));
  await settle();
  started[0]!.reject(new Error('no'));
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await settle();
  expect(board().joined).toBe(false);
});

it('work goes on when some of its callers leave, and is aborted when the last one leaves', async () => {
  const { started, board } = createFlights();
  const callers = [new AbortController(), new AbortController(), new AbortController()];
  const outcomes = callers.map(({ signal }) => board({ signal }).outcome.catch((error: Error) => error.message));
  await settle();
  callers[0]!.abort(new Error('the first caller canceled'));
  callers[1]!.abort(new Error('the second caller canceled'));
  expect(started[0]!.handle.signal.aborted).toBe(false);
  expect(await outcomes[0]).toBe('the first caller canceled');
  callers[2]!.abort(new Error('the third caller canceled'));
  expect(started[0]!.handle.signal.reason).toEqual(new Error('the third caller canceled'));
  expect(await outcomes[2]).toBe('the third caller canceled');
  // A new caller must not join the aborted work.
  expect(board().joined).toBe(false);
});

it('a caller who leaves after the end does not abort anything', async () => {
  const { started, board } = createFlights();
  const caller = new AbortController();
  const { outcome } = board({ signal: caller.signal });
  await settle();
  started[0]!.resolve('rows');
  await outcome;
  caller.abort();
  expect(started[0]!.handle.signal.aborted).toBe(false);
});

it('a caller who left before joining starts no work', async () => {
  const { started, board } = createFlights();
  await expect(board({ signal: AbortSignal.abort(new Error('canceled')) }).outcome).rejects.toThrow('canceled');
  await settle();
  expect(started).toHaveLength(0);
});

it('purged work still answers its callers, but is not joined any more', async () => {
  const { flights, started, board } = createFlights();
  const before = board();
  await settle();
  flights.forget('g');
  const after = board();
  await settle();
  expect([after.joined, started.length]).toEqual([false, 2]);
  expect(started.map(({ handle }) => handle.isCurrent())).toEqual([false, true]);
  started[0]!.resolve('old');
  started[1]!.resolve('new');
  expect(await Promise.all([before.outcome, after.outcome])).toEqual(['old', 'new']);
});

it('a caller who bypasses joins no running work, and later callers join the new work', async () => {
  const { started, board } = createFlights();
  const old = board();
  await settle();
  const fresh = board({ forceNew: true });
  const later = board();
  await settle();
  expect([fresh.joined, later.joined, started.length]).toEqual([false, true, 2]);
  expect(started.map(({ handle }) => handle.isCurrent())).toEqual([false, true]);
  started[1]!.resolve('new');
  started[0]!.resolve('old');
  expect(await Promise.all([old.outcome, fresh.outcome, later.outcome])).toEqual(['old', 'new', 'new']);
});

it('an exception at the start of the work is a failure like any other', async () => {
  const flights = new SingleFlight<string>();
  const start = () => {
    throw new Error('at once');
  };
  const { outcome } = flights.join({ key: 'k', group: 'g', owner: 'a', start }, new AbortController().signal);
  await expect(outcome).rejects.toThrow('at once');
  expect(flights.isRunning('k')).toBe(false);
});
