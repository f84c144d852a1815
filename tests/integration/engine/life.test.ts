/**
 * @slow 15
 * @waits
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceError } from '#contract/errors';
import { requestOf } from '../../support/stores/ingest-batch';
import { TEST_SERVER_SCRIPT } from '../../support/processes/build-server';
import { DEFINITION, failureOf, useTestEngine } from '../../support/servers/engine';
import { LOCKED_FILE, readEvents } from '../../support/stores/commands';

const engine = useTestEngine();

describe('when the engine process dies', () => {
  test('under many queries, each gets its rows or a clear 503, and the next ones work', async () => {
    await engine.start();
    const calls = Array.from({ length: 60 }, (_, index) => engine.run(`sleep ${20 + (index % 7) * 10}`));
    const outcomes = Promise.allSettled(calls);
    for (let kill = 0; kill < 3; kill += 1) {
      await delay(60);
      const engines = engine.client.health().ready ? [await engine.pid()] : [];
      for (const pid of engines) process.kill(pid, 'SIGKILL');
    }
    for (const outcome of await outcomes) {
      if (outcome.status === 'fulfilled') expect(outcome.value).toContain('slept');
      else {
        expect(outcome.reason).toMatchObject({ code: 'backend_unavailable', status: 503 });
        expect((outcome.reason as ServiceError).details['retry_after_seconds']).toBeGreaterThanOrEqual(1);
      }
    }
    expect(await engine.run('rows 1')).toContain('row 0');
    expect(engine.client.health().restarts).toBeGreaterThanOrEqual(1);
  }, 20_000);

  test('within a batch, the batch is retried and its events are stored once', async () => {
    await engine.start();
    const pid = await engine.pid();
    const body = Buffer.from('{"id":"a","pauseMs":400}\n{"id":"b"}\n');
    const answer = engine.client.call('ingest', requestOf('edge_requests', body, 0), { body });
    while (readEvents(engine.dataDir).length < 2) await delay(10);
    process.kill(pid, 'SIGKILL');
    expect(await answer).toEqual({ accepted: 2, duplicates: 2, rejected: 0, errors: [] });
    expect(readEvents(engine.dataDir).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('twice because of one query, the query is given up and its text refused', async () => {
    await engine.start();
    expect(await failureOf(engine.run('crash'))).toMatchObject({ code: 'backend_unavailable' });
    expect(engine.runsOf('crash')).toBe(2);
    expect((await failureOf(engine.run('crash'))).details['retry_after_seconds']).toBeGreaterThan(50);
    expect(engine.runsOf('crash')).toBe(2);
    expect(await engine.run('rows 1')).toContain('row 0');
  });

  test('listeners get an event of the restart, and a removed listener does not', async () => {
    await engine.start();
    const seen: string[] = [];
    engine.client.onRestart((cause) => seen.push(cause));
    engine.client.onRestart((cause) => seen.push(`removed ${cause}`))();
    process.kill(await engine.pid(), 'SIGKILL');
    await engine.run('rows 1');
    expect(seen).toEqual(['crash']);
  });

  test('health stays ready for up to 5 s of the restart, and is not ready before the first start', async () => {
    const starting = engine.start();
    expect(engine.client.health()).toMatchObject({ ready: false, isRestarting: false });
    await starting;
    process.kill(await engine.pid(), 'SIGKILL');
    const killedAt = performance.now();
    const seen = new Set<boolean>();
    while (engine.client.health().restarts === 0) {
      seen.add(engine.client.health().isRestarting);
      // Where processors are short the restart itself may take longer than the 5 s.
      if (performance.now() - killedAt < 4000) expect(engine.client.health().ready).toBe(true);
      await delay(1);
    }
    expect(seen).toContain(true);
    expect(engine.client.health()).toMatchObject({ ready: true, isRestarting: false });
  }, 30_000);

  test('and cannot start again, health says why, and calls fail: at first at their own deadline, then at once', async () => {
    await engine.start();
    writeFileSync(path.join(engine.dataDir, LOCKED_FILE), '');
    process.kill(await engine.pid(), 'SIGKILL');
    await delay(20);
    expect(await failureOf(engine.run('rows 1', { timeoutMs: 500 }))).toMatchObject({ code: 'backend_unavailable' });
    while (engine.client.health().ready) await delay(20);
    expect(engine.client.health()).toMatchObject({ ready: false, reason: expect.stringContaining('in use') as string });
    const refused = {
      code: 'backend_unavailable',
      message: 'The store cannot be started.',
      details: {
        retry_after_seconds: expect.any(Number) as number,
        hint: expect.stringContaining('/health/ready') as string,
      },
    };
    // The deadline is that of a batch, beyond the timeout of this test.
    expect(await failureOf(engine.run('rows 1', { timeoutMs: 60_000 }))).toMatchObject(refused);
    expect(await failureOf(engine.ingest('{"id":"a"}'))).toMatchObject(refused);
    rmSync(path.join(engine.dataDir, LOCKED_FILE));
    while (!engine.client.health().ready) await delay(20);
    expect(await engine.run('rows 1')).toContain('row 0');
  }, 20_000);
});

describe('starting and closing the engine', () => {
  test('fails with a reason when the store does not open, and leaves no process', async () => {
    writeFileSync(path.join(engine.dataDir, LOCKED_FILE), '');
    expect(await failureOf(engine.start())).toMatchObject({
      code: 'backend_unavailable',
      message: 'The data directory is in use by another process.',
    });
    expect(engine.client.health()).toMatchObject({ ready: false, restarts: 0 });
  });

  test('fails when the engine script does not exist', async () => {
    const error = await failureOf(engine.start({ script: path.join(engine.dataDir, 'absent.js') }));
    expect(error.code).toBe('backend_unavailable');
    expect(error.message).toContain('exit code 1');
  });

  test('lets running calls end, refuses new ones, and may be repeated', async () => {
    await engine.start();
    const running = engine.run('sleep 200');
    await delay(50);
    const closed = engine.client.close();
    expect(await failureOf(engine.run('rows 1'))).toMatchObject({ code: 'draining' });
    expect(await running).toContain('slept');
    await closed;
    await engine.client.close();
  });

  test('includes the end of a store that is being reopened, and starts no other process', async () => {
    await engine.start();
    const pid = await engine.pid();
    const reopened = failureOf(engine.client.reopen([], { definitions: [DEFINITION], stored: [], former: [] }));
    await delay(0);
    await engine.client.close();
    expect(isAlive(pid)).toBe(false);
    expect(await reopened).toMatchObject({ code: 'draining' });
  });

  test('includes the end of the engine when its server is killed', async () => {
    await engine.start();
    const server = spawn(process.execPath, [TEST_SERVER_SCRIPT, engine.dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isAlive(pid)).toBe(true);
    server.kill('SIGKILL');
    for (let wait = 0; wait < 100 && isAlive(pid); wait += 1) await delay(50);
    expect(isAlive(pid)).toBe(false);
  }, 20_000);

  test('is not affected by signals of the terminal', async () => {
    await engine.start();
    const pid = await engine.pid();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    expect(await engine.run('rows 1')).toContain('row 0');
    expect(await engine.pid()).toBe(pid);
  });

  test('passes none of the secrets of the server to the engine', async () => {
    process.env['LQE_BOOTSTRAP_TOKEN'] = 'secret';
    await engine.start();
    expect(readFileSync(`/proc/${await engine.pid()}/environ`, 'utf8')).not.toContain('secret');
    delete process.env['LQE_BOOTSTRAP_TOKEN'];
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
