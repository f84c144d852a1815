/**
 * @slow 15
 * @waits
 */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { definitionDigest } from '#server/catalog/definitions/definition-digest';
import {
  DEFINITION,
  SILENT,
  engineOptions,
  failureOf,
  queryRequest,
  useTestEngine,
} from '../../support/servers/engine';
import { BEHIND_FILE, LOCKED_FILE } from '../../support/stores/commands';

const engine = useTestEngine();

describe('calls of the engine', () => {
  test('return the encoded bytes and the facts about a run', async () => {
    await engine.start();
    const result = await engine.client.call('run', queryRequest(null));
    expect(Buffer.from(result.bytes).toString()).toBe('{"result":[{"n":0,"text":"row 0"},{"n":1,"text":"row 1"}]}');
    expect(result).toMatchObject({ format: 'json', rows: 2, truncated: false, redacted: false, revision: 1 });
    expect(result.fields).toEqual([
      { name: 'n', type: 'INT64' },
      { name: 'text', type: 'STRING' },
    ]);
  });

  test('check a text without waiting for running queries or for events to be stored', async () => {
    await engine.start();
    const runs = Promise.all(Array.from({ length: 8 }, () => engine.run('sleep 3000', { timeoutMs: 30_000 })));
    let isRunDone = false;
    void runs.then(() => (isRunDone = true));
    await delay(100);
    writeFileSync(path.join(engine.dataDir, BEHIND_FILE), '');
    const adhoc = { language: 'sql', text: 'rows 1' } as const;
    const request = {
      kind: 'adhoc',
      endpointId: DEFINITION.id,
      adhoc,
      parameters: {},
      tenant: null,
      redact: false,
    } as const;
    expect(await engine.client.call('validate', request)).toMatchObject({ canonical: 'rows 1' });
    expect(isRunDone).toBe(false);
    rmSync(path.join(engine.dataDir, BEHIND_FILE));
    await runs;
  }, 40_000);

  test('report definitions that do not compile, and refuse to run them', async () => {
    await engine.start();
    const broken = { ...DEFINITION, id: '00000000-0000-4000-8000-000000000002', query: 'broken' };
    const { failures } = await engine.client.call('define', {
      definitions: [DEFINITION, broken],
      stored: [],
      former: [],
    });
    expect(failures.map(({ endpointId, error }) => [endpointId, error.code])).toEqual([
      [broken.id, 'definition_invalid'],
    ]);
    expect(
      await failureOf(engine.run(null, { endpointId: broken.id, definition: definitionDigest(broken) }))
    ).toMatchObject({ code: 'endpoint_not_found' });
  });

  test('run the definition they were bound to, also when another has replaced it', async () => {
    await engine.start();
    const capped = { ...DEFINITION, revision: 2 };
    await engine.client.call('define', { definitions: [capped], stored: [], former: [DEFINITION] });
    const [former, present] = await Promise.all([
      engine.client.call('run', queryRequest(null)),
      engine.client.call('run', queryRequest(null, { definition: definitionDigest(capped) })),
    ]);
    expect([former.revision, present.revision]).toEqual([1, 2]);
    const unknown = engine.client.call('run', queryRequest(null, { definition: 'never served' }));
    expect(await failureOf(unknown)).toMatchObject({ code: 'backend_unavailable' });
    await engine.client.call('define', { definitions: [], stored: [], former: [capped] });
    expect((await engine.client.call('run', queryRequest(null))).revision).toBe(1);
  });

  test('get their rows while the store is opened again', async () => {
    await engine.start();
    const first = await engine.pid();
    const asking = { stop: false };
    const callers = Array.from({ length: 6 }, async () => {
      for (let count = 0; ; count += 1) {
        if (asking.stop) return count;
        expect(await engine.run('sleep 20')).toContain('slept');
      }
    });
    // Longer than running calls are waited for.
    const long = engine.run('sleep 3500', { timeoutMs: 25_000 });
    await delay(100);
    const capped = { ...DEFINITION, revision: 2 };
    expect(await engine.client.reopen([], { definitions: [capped], stored: [], former: [DEFINITION] })).toEqual({
      failures: [],
    });
    expect(engine.client.health()).toMatchObject({ ready: true, restarts: 0 });
    const present = await engine.client.call('run', queryRequest(null, { definition: definitionDigest(capped) }));
    expect(present.revision).toBe(2);
    asking.stop = true;
    for (const count of await Promise.all(callers)) expect(count).toBeGreaterThan(1);
    expect(await long).toContain('slept');
    expect(await engine.pid()).not.toBe(first);
  }, 30_000);

  test('are served as before when the store cannot be opened again, or a definition does not compile', async () => {
    await engine.start();
    const broken = { ...DEFINITION, query: 'broken' };
    const { failures } = await engine.client.reopen([], { definitions: [broken], stored: [], former: [DEFINITION] });
    expect(failures).toMatchObject([{ endpointId: DEFINITION.id, error: { code: 'definition_invalid' } }]);
    expect(await engine.run(null)).toContain('row 0');
    const lock = path.join(engine.dataDir, LOCKED_FILE);
    writeFileSync(lock, '');
    const failing = failureOf(engine.client.reopen([], { definitions: [], stored: [], former: [DEFINITION] }));
    // Not ready: it was tried, and the former store is opened again.
    while (engine.client.health().ready) await delay(10);
    rmSync(lock);
    expect(await failing).toMatchObject({ code: 'backend_unavailable' });
    expect(await engine.run(null)).toContain('row 0');
  }, 30_000);

  test('are refused, and so is the change, when the store cannot be opened at all; they go on when it can', async () => {
    await engine.start();
    const lock = path.join(engine.dataDir, LOCKED_FILE);
    writeFileSync(lock, '');
    const failing = failureOf(engine.client.reopen([], { definitions: [], stored: [], former: [DEFINITION] }));
    expect(await failing).toMatchObject({ code: 'backend_unavailable' });
    expect(engine.client.health().ready).toBe(false);
    const again = failureOf(engine.client.reopen([], { definitions: [], stored: [], former: [DEFINITION] }));
    expect(await again).toMatchObject({ code: 'backend_unavailable' });
    rmSync(lock);
    while (!engine.client.health().ready) await delay(20);
    expect(await engine.run(null)).toContain('row 0');
  }, 30_000);

  test('redact when the request or the saved query says so', async () => {
    await engine.start();
    const asked = await engine.client.call('run', queryRequest('rows 1', { redact: true }));
    const redacting = { ...DEFINITION, redact_pii: true };
    await engine.client.call('define', { definitions: [redacting], stored: [], former: [] });
    const saved = await engine.client.call('run', queryRequest('rows 1', { definition: definitionDigest(redacting) }));
    expect([asked.redacted, saved.redacted]).toEqual([true, true]);
  });

  test('refuse ad-hoc text when the saved query has no sandbox', async () => {
    await engine.start();
    const closed = { ...DEFINITION, sandbox: false };
    await engine.client.call('define', { definitions: [closed], stored: [], former: [] });
    expect(await failureOf(engine.run('rows 1', { definition: definitionDigest(closed) }))).toMatchObject({
      code: 'sandbox_disabled',
    });
    const validation = engine.client.call('validate', {
      kind: 'adhoc',
      endpointId: DEFINITION.id,
      adhoc: { language: 'sql', text: 'rows 1' },
      tenant: null,
      parameters: {},
      redact: false,
    });
    expect(await failureOf(validation)).toMatchObject({ code: 'sandbox_disabled' });
  });

  test('log an unexpected failure completely and hide its text from the caller', async () => {
    const logged: object[] = [];
    await engine.start({ logger: { ...SILENT, error: (facts) => logged.push(facts) } });
    const error = await failureOf(engine.run('fail'));
    expect(error.toBody()).toEqual({ code: 'internal', message: 'Internal error.', details: {} });
    expect(JSON.stringify(logged)).toContain('secret text of the store');
  });

  test('wait for a permit in the order of arrival', async () => {
    await engine.start({
      engine: engineOptions(engine.dataDir, 1),
    });
    const order: string[] = [];
    const texts = ['sleep 30', 'rows 1', 'rows 2', 'rows 3'];
    await Promise.all(texts.map((text) => engine.run(text).then(() => order.push(text))));
    expect(order).toEqual(texts);
  });

  test('return results of many megabytes while other calls go on', async () => {
    await engine.start();
    const sizes = [6_000_000, 10, 3_000_000, 1];
    const bodies = await Promise.all(sizes.map((size) => engine.run(`text ${size}`)));
    expect(bodies.map((body) => body.length)).toEqual(
      sizes.map((size) => `{"result":[{"n":0,"text":""}]}`.length + size)
    );
  });
});

describe('callers who disconnect', () => {
  test('have their running call aborted, and a waiting one never starts', async () => {
    await engine.start({ engine: engineOptions(engine.dataDir, 1) });
    const [leaving, neverServed] = [new AbortController(), new AbortController()];
    const running = engine.client.call('run', queryRequest('sleep 60000', { timeoutMs: 60_000 }), {
      signal: leaving.signal,
    });
    const waiting = engine.client.call('run', queryRequest('rows 7'), { signal: neverServed.signal });
    const outcomes = Promise.allSettled([running, waiting]);
    await delay(100);
    // In this order: the place that the first leaves free is the other's at once.
    neverServed.abort(new Error('canceled'));
    leaving.abort(new Error('canceled'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await engine.run('rows 1')).toContain('row 0');
    expect(engine.runsOf('rows 7')).toBe(0);
    expect(engine.client.health()).toMatchObject({ restarts: 0, inFlight: 0, waiting: 0 });
  });
});
