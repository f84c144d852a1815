import fc from 'fast-check';
import { nextState, type DemoState } from '#server/cli/demo/demo-state';
import { fillPlan } from '#server/cli/demo/fill-plan';
import { LANES } from '#server/cli/sample-data/live-traffic';

const NOW = 29_000_000;

test('a plan has every lane of every minute once, and starts with one lane of all minutes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1500 }), (length) => {
      const plan = fillPlan({ fromMinute: NOW - length, toMinute: NOW });
      const lanes = new Map<string, number>();
      for (const { fromMinute, toMinute, lane } of plan)
        for (let minute = fromMinute; minute < toMinute; minute++)
          lanes.set(`${minute} ${lane}`, (lanes.get(`${minute} ${lane}`) ?? 0) + 1);
      expect(lanes.size).toBe(length * LANES);
      expect([...lanes.values()].every((count) => count === 1)).toBe(true);
      const firstLane = plan.filter(({ lane }) => lane === 0);
      expect(plan.slice(0, firstLane.length)).toEqual(firstLane);
      expect(firstLane).toEqual([...firstLane].sort((a, b) => a.fromMinute - b.fromMinute));
    }),
    { numRuns: 30 }
  );
});

test('the first run fills the days before now', () => {
  expect(nextState(undefined, { nowMinute: NOW, days: 7, seed: 3 })).toEqual({
    seed: 3,
    fills: [{ fromMinute: NOW - 7 * 1440, toMinute: NOW, piecesDone: 0 }],
    liveMinute: NOW,
  });
});

test('a later run fills the gap first, resumes the unfinished plan, and keeps its seed', () => {
  const begun = { fromMinute: NOW - 9000, toMinute: NOW - 500, piecesDone: 12 };
  const kept: DemoState = { seed: 3, fills: [begun], liveMinute: NOW - 60 };
  expect(nextState(kept, { nowMinute: NOW, days: 7, seed: 1 })).toEqual({
    seed: 3,
    fills: [{ fromMinute: NOW - 60, toMinute: NOW, piecesDone: 0 }, begun],
    liveMinute: NOW,
  });
});

test('a long gap is filled for the last days only', () => {
  const kept: DemoState = { seed: 1, fills: [], liveMinute: NOW - 90 * 1440 };
  expect(nextState(kept, { nowMinute: NOW, days: 7, seed: 1 }).fills).toEqual([
    { fromMinute: NOW - 7 * 1440, toMinute: NOW, piecesDone: 0 },
  ]);
});

test('a second run in the same minute has nothing to fill', () => {
  const kept: DemoState = { seed: 1, fills: [], liveMinute: NOW };
  expect(nextState(kept, { nowMinute: NOW, days: 7, seed: 1 })).toEqual(kept);
});
