import { createPenalties, type Penalties } from '#server/engine/client/blame/penalties';
import { createPendingCall, type PendingCall } from '#server/engine/client/pending-call';
import type { InFlightCall } from '#server/engine/client/supervision/engine-link';

type SentCall = InFlightCall<PendingCall | null>;

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
let penalties: Penalties;
let lastId = 0;

beforeEach(() => {
  penalties = createPenalties(60_000, SILENT);
});

function sent(pending: PendingCall): SentCall {
  pending.attempts += 1;
  const progress = pending.kind === 'run' ? { startedAt: 0, rssAtStart: 0, stage: 'db' as const, stageAt: 0 } : null;
  return { id: (lastId += 1), kind: pending.kind, owner: pending, progress, isInterruptConfirmed: false };
}

const text = (owner: string, sql = 'select 1'): PendingCall =>
  createPendingCall(
    'run',
    { endpointId: 'e', parameters: {}, adhoc: { language: 'sql', text: sql } },
    { timeoutMs: 1000, owner }
  );
const saved = (owner: string): PendingCall =>
  createPendingCall('run', { endpointId: 'e', parameters: {}, adhoc: null }, { timeoutMs: 1000, owner });
const batch = (owner: string): PendingCall =>
  createPendingCall('ingest', { source: 's', nowMicros: 0 }, { timeoutMs: 1000, owner });
const check = (owner: string): PendingCall =>
  createPendingCall('validate', { kind: 'adhoc' }, { timeoutMs: 1000, owner });

const isRefused = (call: PendingCall): boolean => {
  try {
    penalties.ensureAllowed(call);
    return false;
  } catch {
    return true;
  }
};

test('a text that alone crashes two processes makes further texts of its token refused, each of them', () => {
  const first = text('a', 'select 1');
  penalties.noteCrash([sent(first)]);
  expect(isRefused(text('a', 'select  1'))).toBe(false);
  penalties.noteCrash([sent(first)]);
  expect(isRefused(text('a', 'select 2'))).toBe(true);
  expect(isRefused(check('a'))).toBe(true);
  expect(isRefused(saved('a'))).toBe(false);
  expect(isRefused(batch('a'))).toBe(false);
  expect(isRefused(text('b'))).toBe(false);
});

test('when two tokens run at one crash, the one that also runs at the second crash is blamed for both', () => {
  const [bad, good] = [text('bad'), text('good')];
  penalties.noteCrash([sent(bad), sent(good)]);
  penalties.noteCrash([sent(bad), sent(text('new'))]);
  expect([isRefused(text('bad')), isRefused(text('good')), isRefused(text('new'))]).toEqual([true, false, false]);
});

test('texts that crash the process while saved queries run are counted', () => {
  const bad = text('a');
  for (let end = 0; end < 2; end += 1) penalties.noteCrash([sent(bad), sent(saved('b'))]);
  expect([isRefused(text('a')), isRefused(text('b'))]).toEqual([true, false]);
});

test('a run that waits for a permit is not a suspect', () => {
  const bad = text('a');
  for (let end = 0; end < 2; end += 1) penalties.noteCrash([sent(bad), { ...sent(text('waiting')), progress: null }]);
  expect([isRefused(text('a')), isRefused(text('waiting'))]).toEqual([true, false]);
});

test('a batch is blamed for a crash only when no other call is', () => {
  const stored = batch('a');
  const bad = text('b');
  const calls = [sent(stored), sent(bad)];
  penalties.blame(bad, calls, 'memory');
  expect(stored.batchEnds).toBe(0);
  penalties.noteCrash(calls);
  expect(stored).toMatchObject({ batchEnds: 1, wasOnlySuspect: false, endReason: 'engine_ended' });
  penalties.noteCrash([sent(stored)]);
  expect(stored).toMatchObject({ batchEnds: 2, wasOnlySuspect: true });
});

test('two crashes during batches of a token make further ones refused, but not the one being retried', () => {
  const bad = batch('a');
  for (let end = 0; end < 2; end += 1) penalties.noteCrash([sent(bad)]);
  expect([isRefused(batch('a')), isRefused(bad), isRefused(text('a'))]).toEqual([true, false, false]);
});
