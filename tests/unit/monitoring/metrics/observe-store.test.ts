/** Metrics of a store that servers share. */
import { ServiceError } from '#contract/errors';
import { Registry } from 'prom-client';
import { createStoreStatsReader } from '#server/app/store/store-stats';
import { observeStore } from '#server/monitoring/metrics/observe-store';
import { createManualClock } from '../../../support/fakes/clock';
import { createStandInEngine } from '../../../support/fakes/engine';

function openMetrics() {
  const registry = new Registry();
  const engine = createStandInEngine();
  const clock = createManualClock();
  observeStore(registry, createStoreStatsReader(engine, clock));
  const lines = async (): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { engine, clock, lines };
}

const STATS = {
  deadLetters: { edge: 2, auth: 1 },
  duplicates: { edge: { withdrawn: 3, left: 1 } },
  waitingBytes: 4000,
};

it('/metrics shows the stats of the store', async () => {
  const { engine, lines } = openMetrics();
  engine.answers.stats = () => STATS;
  expect(await lines()).toEqual([
    'logquery_store_up 1',
    'logquery_store_dead_letters{source="edge"} 2',
    'logquery_store_dead_letters{source="auth"} 1',
    'logquery_store_copies_total{source="edge",outcome="withdrawn"} 3',
    'logquery_store_copies_total{source="edge",outcome="left"} 1',
    'logquery_store_waiting_bytes 4000',
  ]);
});

it('the store is asked for stats once in fifteen seconds, however often /metrics is read', async () => {
  const { engine, clock, lines } = openMetrics();
  engine.answers.stats = () => STATS;
  await Promise.all([lines(), lines(), lines()]);
  clock.advance(14_999);
  await lines();
  expect(engine.asked).toHaveLength(1);
  clock.advance(1);
  await lines();
  expect(engine.asked).toHaveLength(2);
});

it('the last stats stay while the store does not answer, and logquery_store_up is 0', async () => {
  const { engine, clock, lines } = openMetrics();
  engine.answers.stats = () => STATS;
  await lines();
  engine.answers.stats = () => {
    throw new ServiceError('backend_unavailable', 'away');
  };
  clock.advance(15_000);
  expect(await lines()).toEqual(
    expect.arrayContaining(['logquery_store_up 0', 'logquery_store_dead_letters{source="edge"} 2'])
  );
});
