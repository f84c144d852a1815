import { Activity } from '#server/monitoring/activity/activity';
import type { EndedCall } from '#server/monitoring/activity/noted-call';
import { createManualClock } from '../../../support/fakes/clock';

const MINUTE = 60_000;

const call = (change: Partial<EndedCall> = {}): EndedCall => ({
  endpointId: 'a',
  isAdhoc: false,
  tokenName: 'dashboard',
  outcome: 'miss',
  rows: 1,
  durationMs: 10,
  status: 200,
  requestId: 'r',
  tokenId: 't',
  ...change,
});

function startActivity() {
  const clock = createManualClock();
  clock.advance(7 * MINUTE);
  return { clock, activity: new Activity(clock) };
}

describe('calls of the last hour', () => {
  it('are counted by saved query, with the durations of its own calls', () => {
    const { activity, clock } = startActivity();
    for (let n = 0; n < 98; n++) activity.addCall(call({ outcome: 'hit', durationMs: 2 }));
    activity.addCall(call({ durationMs: 800, status: 504, outcome: null, rows: null }));
    activity.addCall(call({ durationMs: 900 }));
    activity.addCall(call({ isAdhoc: true, durationMs: 5000 }));
    activity.addCall(call({ endpointId: 'b', status: null, outcome: null }));
    expect(activity.calls.of('a')).toMatchObject({ calls: 100, adhocCalls: 1, failed: 1, cached: 98, maxMs: 900 });
    expect(activity.calls.of('a')!.p95Ms).toBeLessThan(2.4);
    expect(activity.calls.of('a')!.lastCallAt).toEqual(clock.now());
    expect(activity.calls.of('b')).toMatchObject({ calls: 1, failed: 0 });
    expect(activity.calls.of('c')).toBeNull();
  });

  it('end after an hour and at most five minutes', () => {
    const { activity, clock } = startActivity();
    activity.addCall(call());
    clock.advance(59 * MINUTE);
    expect(activity.calls.of('a')).toMatchObject({ calls: 1 });
    clock.advance(6 * MINUTE);
    expect(activity.calls.of('a')).toBeNull();
    expect(clock.now().getTime() - activity.calls.since.getTime()).toBeGreaterThanOrEqual(60 * MINUTE);
  });

  it('begin with the server', () => {
    const { activity, clock } = startActivity();
    clock.advance(MINUTE);
    expect(clock.now().getTime() - activity.calls.since.getTime()).toBe(MINUTE);
    expect(activity.calls.since).toEqual(activity.arrivals.of('a').since);
  });

  it('take no memory for saved queries that are not called any more', () => {
    const { activity, clock } = startActivity();
    for (let n = 0; n < 1000; n++) activity.addCall(call({ endpointId: `deleted-${n}` }));
    clock.advance(70 * MINUTE);
    activity.addCall(call());
    expect((activity.calls as unknown as { queries: Map<string, unknown> }).queries.size).toBe(1);
  });
});

describe('the slowest calls', () => {
  it('are the twenty longest of the last hour, longest first', () => {
    const { activity, clock } = startActivity();
    for (let n = 0; n < 500; n++) {
      activity.addCall(call({ durationMs: (n * 37) % 500, requestId: String(n) }));
      clock.advance(5000);
    }
    expect(activity.slowest.list().map(({ durationMs }) => durationMs)).toEqual(
      Array.from({ length: 20 }, (_, n) => 499 - n)
    );
    clock.advance(70 * MINUTE);
    expect(activity.slowest.list()).toEqual([]);
  });
});

describe('arrivals', () => {
  it('are counted by minute, the current one last', () => {
    const { activity, clock } = startActivity();
    const { arrivals } = activity;
    arrivals.add('edge', { stored: 3, duplicates: 1, rejected: 2 });
    clock.advance(2 * MINUTE);
    arrivals.add('edge', { stored: 5, duplicates: 0, rejected: 0 });
    const { storedByMinute, duplicates, rejected } = arrivals.of('edge');
    expect([storedByMinute.length, storedByMinute.slice(-3), duplicates, rejected]).toEqual([60, [3, 0, 5], 1, 2]);
    clock.advance(60 * MINUTE);
    expect(arrivals.of('edge').storedByMinute.every((count) => count === 0)).toBe(true);
    expect(arrivals.of('other').rejected).toBe(0);
  });
});
