/** Metrics of sealing, of an engine that answers as the test says. */
import { Registry } from 'prom-client';
import type { SealState } from '#contract/control';
import { observeSealing } from '#server/monitoring/metrics/observe-sealing';

test('the reason of a failed seal is 1 for its source until a day is sealed', async () => {
  const registry = new Registry();
  const source = { source: 'events', days: 3, sealed: 1 };
  let state: SealState = { sources: [{ ...source, fault: 'disk_full' }], running: null, failures: 2 };
  observeSealing(registry, { call: () => Promise.resolve(state as never) });
  const text = await registry.metrics();
  expect(text).toContain('logquery_store_seal_fault{source="events",reason="disk_full"} 1');
  expect(text).toContain('logquery_store_days{source="events",state="open"} 2');
  expect(text).toContain('logquery_store_seal_failures_total 2');
  state = { ...state, sources: [{ ...source, fault: null }] };
  expect(await registry.metrics()).not.toContain('logquery_store_seal_fault{');
});

test('counts stay while the engine does not answer, so that no counter falls and rises again', async () => {
  const registry = new Registry();
  const sources = [{ source: 'events', days: 3, sealed: 1, fault: null }];
  let state: SealState | null = { sources, running: { source: 'events', day: 1, rows: 7 }, failures: 2 };
  observeSealing(registry, {
    call: () => (state ? Promise.resolve(state as never) : Promise.reject(new Error('busy'))),
  });
  expect(await registry.metrics()).toContain('logquery_store_sealing_rows 7');
  state = null;
  const text = await registry.metrics();
  expect(text).toContain('logquery_store_seal_failures_total 2');
  expect(text).toContain('logquery_store_days{source="events",state="open"} 2');
  expect(text).toContain('logquery_store_sealing_rows 0');
});
