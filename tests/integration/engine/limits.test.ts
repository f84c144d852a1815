/**
 * @slow 20
 * @waits
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import { requestOf } from '../../support/stores/ingest-batch';
import { engineOptions, failureOf, SILENT, useTestEngine } from '../../support/servers/engine';
import { BATCHES_FILE, BEHIND_FILE, readEvents, REMOTE_FILE } from '../../support/stores/commands';

const engine = useTestEngine();

describe('deadlines', () => {
  test('end a run that can be interrupted with query_timeout, and the process stays', async () => {
    await engine.start();
    const pid = await engine.pid();
    const error = await failureOf(engine.run('sleep 10000', { timeoutMs: 100 }));
    expect(error).toMatchObject({ code: 'query_timeout', status: 504, details: { timeout_ms: 100 } });
    expect(await engine.pid()).toBe(pid);
  });

  test('end the process of a run that cannot be interrupted; other runs are retried and its text is refused', async () => {
    await engine.start({ graceMs: 100 });
    const pid = await engine.pid();
    const innocent = engine.run('sleep 450');
    const error = await failureOf(engine.run('deaf 60000', { timeoutMs: 100 }));
    expect(error).toMatchObject({ code: 'query_timeout', details: { timeout_ms: 100 } });
    expect(await innocent).toContain('slept');
    expect(engine.runsOf('sleep 450')).toBe(2);
    expect(await engine.pid()).not.toBe(pid);
    expect(engine.client.health()).toMatchObject({ ready: true, restarts: 1, kills: { deadline: 1, memory: 0 } });

    const again = await failureOf(engine.run('deaf 60000', { timeoutMs: 5000 }));
    expect(again.code).toBe('query_timeout');
    expect(again.details['retry_after_seconds']).toBeGreaterThan(50);
    expect(engine.runsOf('deaf 60000')).toBe(1);
    expect(await engine.run('rows 1')).toContain('row 0');
  });

  test('blame the run that blocks the thread, not the run that waits behind it', async () => {
    await engine.start({ graceMs: 50, stallMs: 300 });
    const holder = failureOf(engine.run('spin 60000', { timeoutMs: 30_000 }));
    await delay(100);
    const behind = await failureOf(engine.run('rows 1', { timeoutMs: 100 }));
    expect(behind.code).toBe('overloaded');
    expect(await holder).toMatchObject({ code: 'query_timeout', details: { timeout_ms: 30_000 } });
    expect(await engine.run('rows 1')).toContain('row 0');
  });

  test('do not end the process because its thread is busy for a moment', async () => {
    await engine.start({ graceMs: 50, stallMs: 20_000 });
    const pid = await engine.pid();
    const busy = engine.run('spin 600', { timeoutMs: 10_000 });
    await delay(50);
    expect((await failureOf(engine.run('rows 1', { timeoutMs: 100 }))).code).toBe('overloaded');
    await failureOf(busy.then(() => Promise.reject(new ServiceError('internal', 'done'))));
    expect(await engine.pid()).toBe(pid);
  });

  test('of a batch that another server stores slowly end the call, and not the process', async () => {
    writeFileSync(path.join(engine.dataDir, REMOTE_FILE), '');
    await engine.start();
    const pid = await engine.pid();
    const body = Buffer.from('{"id":"a","pauseMs":2000}\n');
    const storing = engine.client.call('ingest', requestOf('edge_requests', body, 0), { body, timeoutMs: 200 });
    expect(await failureOf(storing)).toMatchObject({ code: 'backend_unavailable', status: 503 });
    // The client counts a call until the process has answered it.
    const until = Date.now() + 1000;
    while (engine.client.health().inFlight > 0 && Date.now() < until) await delay(10);
    expect(engine.client.health().inFlight).toBe(0);
    expect(await engine.pid()).toBe(pid);
    // At a close, a batch under way is stored and answered.
    const later = Buffer.from('{"id":"b","pauseMs":500}\n');
    const stored = engine.client.call('ingest', requestOf('edge_requests', later, 0), { body: later });
    while (readEvents(engine.dataDir).length < 2) await delay(10);
    await Promise.all([engine.client.close(), stored]);
    expect((await stored).accepted).toBe(1);
  }, 20_000);

  test('end a run that never had its turn with an error that says so, and do not refuse it later', async () => {
    await engine.start({ engine: engineOptions(engine.dataDir, 1) });
    const first = engine.run('sleep 300');
    expect(await failureOf(engine.run('rows 1', { timeoutMs: 100 }))).toMatchObject({
      code: 'overloaded',
      details: { retry_after_seconds: 1 },
    });
    await first;
    expect(await engine.run('rows 1')).toContain('row 0');
  });
});

describe('a run whose engine process was killed', () => {
  test('and that has too little time in the next one can be tried again, and has no timeout of its own', async () => {
    await engine.start();
    const pid = await engine.pid();
    const failure = failureOf(engine.run('sleep 1500', { timeoutMs: 1800 }, 'unlucky'));
    await delay(1200);
    process.kill(pid, 'SIGKILL');
    expect(await failure).toMatchObject({ code: 'backend_unavailable', details: { retry_after_seconds: 1 } });
    expect(await engine.run('sleep 1500', { timeoutMs: 10_000 }, 'unlucky')).toContain('slept');
  });

  test('does not end the next process because of what is left of its time', async () => {
    await engine.start({ graceMs: 100 });
    const pid = await engine.pid();
    const failure = failureOf(engine.run('deaf 2000', { timeoutMs: 2500 }, 'unlucky'));
    await delay(1200);
    process.kill(pid, 'SIGKILL');
    expect((await failure).code).toBe('backend_unavailable');
    expect(await engine.run('deaf 2000', { timeoutMs: 10_000 }, 'unlucky')).toContain('heard');
    expect(engine.client.health()).toMatchObject({ restarts: 1, kills: { deadline: 0 } });
  });

  test('and that ignores its deadline in the next one ends that, too', async () => {
    await engine.start({ graceMs: 100 });
    const pid = await engine.pid();
    // Time for the next process to start: a run that has too little left for it is not sent.
    const failure = failureOf(engine.run('deaf 60000', { timeoutMs: 5000 }));
    await delay(700);
    process.kill(pid, 'SIGKILL');
    expect((await failure).code).toBe('backend_unavailable');
    while (engine.client.health().kills.deadline === 0) await delay(20);
    expect(await failureOf(engine.run('deaf 60000', { timeoutMs: 5000 }))).toMatchObject({ code: 'query_timeout' });
  });
});

test('a run that waits for the writer beyond its deadline neither ends the process nor is refused later', async () => {
  await engine.start({ graceMs: 50 });
  const pid = await engine.pid();
  const behind = path.join(engine.dataDir, BEHIND_FILE);
  writeFileSync(behind, '');
  expect((await failureOf(engine.run('rows 1', { timeoutMs: 100 }))).code).toBe('overloaded');
  await delay(500);
  rmSync(behind);
  expect(await engine.run('rows 1')).toContain('row 0');
  expect(await engine.pid()).toBe(pid);
});

describe('memory', () => {
  test('ends a run that uses all of it with resource_limit, and the runs beside it are retried', async () => {
    await engine.start({ engine: { ...engineOptions(engine.dataDir, 4), rssBudgetMb: 400 } });
    const innocent = engine.run('sleep 1500');
    await delay(50);
    const error = await failureOf(engine.run('hog', { timeoutMs: 30_000 }));
    expect(error).toMatchObject({ code: 'resource_limit', status: 422 });
    expect(await innocent).toContain('slept');
    expect(engine.client.health().kills).toEqual({ deadline: 0, memory: 1 });
    const again = await failureOf(engine.run('hog'));
    expect(again.code).toBe('resource_limit');
    expect(again.details['retry_after_seconds']).toBeGreaterThan(50);
  }, 20_000);
});

describe('the memory budget', () => {
  test('lets a batch that exceeds it be retried once, then refuses it', async () => {
    await engine.start({ engine: { ...engineOptions(engine.dataDir, 4), rssBudgetMb: 300 } });
    const body = Buffer.from('{"id":"a","hog":true}\n');
    const error = await failureOf(engine.client.call('ingest', requestOf('edge_requests', body, 0), { body }));
    expect(error).toMatchObject({ code: 'batch_refused', status: 422, details: { reason: 'memory' } });
    expect(engine.client.health().kills.memory).toBe(2);
    expect(await engine.run('rows 1')).toContain('row 0');
  }, 20_000);
});

describe('processes that the work of one token ends', () => {
  test('make its texts refused with 429 after two ends, even if they differ by a blank; other tokens are not refused', async () => {
    await engine.start();
    expect(await failureOf(engine.run('crash', {}, 'bad'))).toMatchObject({ code: 'backend_unavailable' });
    const again = await failureOf(engine.run('crash ', {}, 'bad'));
    expect(again).toMatchObject({ code: 'rate_limited', status: 429, details: { reason: 'engine_ended' } });
    expect(again.details['retry_after_seconds']).toBeGreaterThan(50);
    expect(await engine.run('rows 1', {}, 'good')).toContain('row 0');
    expect(engine.client.health().restarts).toBe(2);
    expect(await engine.run(null, {}, 'bad')).toContain('row 0');
  }, 20_000);

  test('because its texts ignore their deadline count, too', async () => {
    await engine.start({ graceMs: 50 });
    for (const text of ['deaf 60000', 'deaf 60001']) {
      expect((await failureOf(engine.run(text, { timeoutMs: 200 }, 'bad'))).code).toBe('query_timeout');
      while (engine.client.health().kills.deadline === engine.client.health().restarts) await delay(10);
      while (engine.client.health().kills.deadline > engine.client.health().restarts) await delay(10);
    }
    expect(await failureOf(engine.run('rows 1', {}, 'bad'))).toMatchObject({ code: 'rate_limited' });
    expect(await engine.run('rows 1', {}, 'good')).toContain('row 0');
  }, 20_000);
});

describe('a batch that crashes the process', () => {
  const batchesOf = (name: string): number =>
    readFileSync(path.join(engine.dataDir, BATCHES_FILE), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith(` ${name}`)).length;

  test('is retried once alone, refused with 422, set aside, and logged with its token', async () => {
    const logged: object[] = [];
    await engine.start({ logger: { ...SILENT, error: (facts) => logged.push(facts) } });
    const bad = '{"id":"bad","crash":true}\n';
    const error = await failureOf(engine.ingest(bad, 'token-1'));
    expect(error).toMatchObject({ code: 'batch_refused', status: 422, details: { reason: 'engine_ended' } });
    expect(batchesOf('bad')).toBe(2);
    expect(engine.client.health().restarts).toBeLessThanOrEqual(2);

    const journal = path.join(engine.dataDir, 'journal');
    while (logged.length === 0) await delay(10);
    const [file = ''] = readdirSync(journal);
    expect(file).toMatch(/\.rejected$/);
    expect(readFileSync(path.join(journal, file), 'utf8')).toBe(bad);
    expect(statSync(path.join(journal, file)).mode & 0o777).toBe(0o600);
    expect(logged).toEqual([expect.objectContaining({ token_id: 'token-1', source: 'edge_requests', file })]);

    expect(await failureOf(engine.ingest('{"id":"x"}\n', 'token-1'))).toMatchObject({
      code: 'rate_limited',
      status: 429,
    });
    expect(await engine.ingest('{"id":"y"}\n', 'token-2')).toMatchObject({ accepted: 1 });
  }, 20_000);

  test('does not affect other batches and queries', async () => {
    await engine.start();
    const slow = ['a', 'b', 'c'].map((id) => engine.ingest(`{"id":"${id}","pauseMs":100}\n`, 'good'));
    const query = engine.run('sleep 200', {}, 'good');
    await delay(20);
    const bad = failureOf(engine.ingest('{"id":"bad","crash":true}\n', 'bad'));
    const late = engine.ingest('{"id":"late"}\n', 'good');
    expect(await bad).toMatchObject({ code: 'batch_refused' });
    for (const batch of await Promise.all([...slow, late])) expect(batch).toMatchObject({ accepted: 1 });
    expect(await query).toContain('slept');
    expect(await engine.ingest('{"id":"next"}\n', 'good')).toMatchObject({ accepted: 1 });
    expect(batchesOf('bad')).toBe(2);
  }, 20_000);

  test('is not confused with a harmless batch beside texts that crash', async () => {
    await engine.start();
    for (const [round, owner] of ['bad-1', 'bad-2', 'bad-3'].entries()) {
      const batch = engine.ingest(`{"id":"batch-${round}","pauseMs":150}\n`, 'good');
      await delay(20);
      expect(await failureOf(engine.run(`crash ${round}`, {}, owner))).toMatchObject({ status: 503 });
      expect(await batch).toMatchObject({ accepted: 1 });
    }
  }, 30_000);
});
