import type { InFlightCall, RunProgress } from '#server/engine/client/supervision/engine-link';
import { memoryCulprit, threadHolder } from '#server/engine/client/blame/culprits';

interface Facts {
  readonly kind?: InFlightCall['kind'];
  readonly adhoc?: boolean;
  readonly startedAt?: number;
  readonly rssAtStart?: number;
  readonly stage?: RunProgress['stage'];
  readonly stageAt?: number;
}

let lastId = 0;

function call(name: string, facts: Facts): InFlightCall<{ name: string; adhoc: boolean }> {
  const { kind = 'run', adhoc = true, startedAt, rssAtStart = 0, stage = 'db', stageAt = startedAt ?? 0 } = facts;
  return {
    id: (lastId += 1),
    kind,
    owner: { name, adhoc },
    progress: startedAt === undefined ? null : { startedAt, rssAtStart, stage, stageAt },
    isInterruptConfirmed: false,
  };
}

const hungriest = (...calls: ReturnType<typeof call>[]): string | undefined =>
  memoryCulprit(calls, 1000, ({ owner }) => owner.adhoc)?.owner.name;

describe('growing memory', () => {
  test.each([
    ['the only run', 'a', [call('a', { startedAt: 1 })]],
    [
      'the run that started last among those that saw the growth',
      'hungry',
      [
        call('old', { startedAt: 1, rssAtStart: 180 }),
        call('hungry', { startedAt: 5, rssAtStart: 200 }),
        call('late', { startedAt: 9, rssAtStart: 950 }),
      ],
    ],
    [
      'ad-hoc text before a saved query',
      'adhoc',
      [call('saved', { adhoc: false, startedAt: 5 }), call('adhoc', { startedAt: 1 })],
    ],
    ['a saved query when there is no ad-hoc text', 'saved', [call('saved', { adhoc: false, startedAt: 5 })]],
    ['no run that still waits for its turn', 'running', [call('waiting', {}), call('running', { startedAt: 1 })]],
    ['a batch when no run is there', 'batch', [call('status', { kind: 'status' }), call('batch', { kind: 'ingest' })]],
    ['a run before a batch', 'run', [call('batch', { kind: 'ingest' }), call('run', { startedAt: 1 })]],
    [
      'a batch beside a run that saw hardly any growth',
      'batch',
      [call('run', { startedAt: 1, rssAtStart: 960 }), call('batch', { kind: 'ingest' })],
    ],
    [
      'a saved query that saw the growth, and no ad-hoc text that did not',
      'saved',
      [call('saved', { adhoc: false, startedAt: 1 }), call('adhoc', { startedAt: 5, rssAtStart: 960 })],
    ],
    ['no one when the memory was taken before', undefined, [call('run', { startedAt: 1, rssAtStart: 960 })]],
    ['no one when nothing runs', undefined, [call('status', { kind: 'status' })]],
  ])('is blamed on %s', (_, expected, calls) => {
    expect(hungriest(...calls)).toBe(expected);
  });
});

describe('a blocked thread', () => {
  test.each([
    [
      'the call that took the thread last',
      'encoding',
      [
        call('planned', { startedAt: 1, stage: 'plan', stageAt: 1 }),
        call('encoding', { startedAt: 0, stage: 'encode', stageAt: 7 }),
        call('in the store', { startedAt: 8, stage: 'db', stageAt: 9 }),
      ],
    ],
    ['no one when all runs are in the store', undefined, [call('a', { startedAt: 1 })]],
    ['no one who still waits', undefined, [call('a', {})]],
  ])('is blamed on %s', (_, expected, calls) => {
    expect(threadHolder(calls)?.owner.name).toBe(expected);
  });
});
