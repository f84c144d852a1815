import fc from 'fast-check';
import type { RunStage } from '#server/engine/protocol/messages';
import { createStageNotices } from '#server/engine/process/stage-notices';

interface Change {
  readonly id: number;
  readonly stage: RunStage | 'queue';
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function record(): { readonly notices: (readonly Change[])[]; readonly stages: ReturnType<typeof createStageNotices> } {
  const notices: (readonly Change[])[] = [];
  return { notices, stages: createStageNotices((changes) => notices.push(changes)) };
}

test('a short run is one notice', () => {
  const { notices, stages } = record();
  for (const stage of ['plan', 'db', 'encode'] as const) stages.enter(1, stage);
  stages.end(1);
  jest.runAllTimers();
  expect(notices).toEqual([[{ id: 1, stage: 'plan' }]]);
});

test('a short run that is the only call needs no notice', () => {
  const { notices, stages } = record();
  stages.arriveAlone(1);
  for (const stage of ['plan', 'db', 'encode'] as const) stages.enter(1, stage);
  stages.end(1);
  jest.runAllTimers();
  expect(notices).toEqual([]);
});

test('the only call is reported when it has to wait for its turn, and when its turn comes', () => {
  const { notices, stages } = record();
  stages.arriveAlone(1);
  jest.advanceTimersByTime(1000);
  stages.enter(1, 'plan');
  expect(notices).toEqual([[{ id: 1, stage: 'queue' }], [{ id: 1, stage: 'plan' }]]);
});

test('a call that was the only one and has not begun is not taken to hold the thread when other work takes it', () => {
  const { notices, stages } = record();
  stages.arriveAlone(1);
  stages.flush();
  stages.enter(1, 'plan');
  expect(notices).toEqual([[{ id: 1, stage: 'queue' }], [{ id: 1, stage: 'plan' }]]);
});

test('a run that stays in the store is reported there, and again when it takes the thread', () => {
  const { notices, stages } = record();
  stages.enter(1, 'plan');
  stages.enter(1, 'db');
  jest.advanceTimersByTime(1000);
  stages.enter(1, 'encode');
  expect(notices).toEqual([[{ id: 1, stage: 'plan' }], [{ id: 1, stage: 'db' }], [{ id: 1, stage: 'encode' }]]);
});

test('before other work takes the thread, no run is left that seems to hold it', () => {
  const { notices, stages } = record();
  stages.enter(1, 'plan');
  stages.enter(1, 'db');
  stages.flush();
  expect(notices).toEqual([[{ id: 1, stage: 'plan' }], [{ id: 1, stage: 'db' }]]);
});

/** Steps of runs: those of each run in their order, those of several runs mixed as the thread takes them. */
const STEPS = ['plan', 'db', 'plan', 'db', 'encode', 'end'] as const;
const mixed = fc.array(fc.record({ run: fc.nat(3), afterMs: fc.constantFrom(0, 3, 30) }), { maxLength: 40 });

function hasOnlyEnded(steps: ReadonlyMap<number, number>): boolean {
  return [...steps.values()].every((step) => step >= STEPS.length);
}

test('whenever a run holds the thread, the server takes it for the one that does', () => {
  fc.assert(
    fc.property(mixed, (turns) => {
      /** As the server keeps them: the stage of each run, and which notice reported it. */
      const noticed = new Map<number, { readonly stage: Change['stage']; readonly at: number }>();
      let count = 0;
      const stages = createStageNotices((changes) => {
        for (const { id, stage } of changes) noticed.set(id, { stage, at: (count += 1) });
      });
      const steps = new Map<number, number>();
      for (const { run, afterMs } of turns) {
        jest.advanceTimersByTime(afterMs);
        const step = STEPS[steps.get(run) ?? 0];
        // Runs that have begun and not ended: without one, the server sends the next run alone.
        if (!steps.has(run) && noticed.size === 0 && hasOnlyEnded(steps)) {
          noticed.set(run, { stage: 'plan', at: (count += 1) });
          stages.arriveAlone(run);
          jest.advanceTimersByTime(afterMs);
        }
        steps.set(run, (steps.get(run) ?? 0) + 1);
        if (step === undefined) continue;
        if (step === 'end') {
          noticed.delete(run);
          stages.end(run);
          continue;
        }
        stages.enter(run, step);
        if (step === 'db') continue;
        const holders = [...noticed]
          .filter(([, { stage }]) => stage === 'plan' || stage === 'encode')
          .sort(([, a], [, b]) => b.at - a.at);
        expect(holders[0]?.[0]).toBe(run);
      }
    })
  );
});
