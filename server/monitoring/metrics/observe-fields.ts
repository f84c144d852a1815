/** Metrics of the nested fields of sources, read from the engine at each scrape. */
import { Gauge, type Registry } from 'prom-client';
import type { FieldUse } from '#contract/queries/description';
import type { EngineClient } from '../../engine/client/engine-client';

const TIMEOUT_MS = 3000;

type Use = Readonly<Record<string, FieldUse>>;

/** While the engine does not answer, the last numbers stay. */
export function observeFields(registry: Registry, engine: Pick<EngineClient, 'call'>): void {
  const read = lastRead(engine);
  const gauge = (name: string, help: string, valueOf: (use: FieldUse) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [registry],
      async collect() {
        const bySource = await read();
        this.reset();
        for (const [source, use] of Object.entries(bySource)) this.set({ source }, valueOf(use));
      },
    });
  };
  gauge('logquery_source_fields', 'Nested fields of a source, of all its tenants.', ({ fields }) => fields);
  gauge('logquery_source_fields_max', 'Maximum nested fields of a source.', ({ max_fields }) => max_fields);
  gauge('logquery_source_columns', 'Nested fields of a source that have a column.', ({ columns }) => columns);
  gauge('logquery_source_columns_max', 'Maximum nested fields with a column.', ({ max_columns }) => max_columns);
}

/** All metrics of a scrape share one call. */
function lastRead(engine: Pick<EngineClient, 'call'>): () => Promise<Use> {
  let last: Use = {};
  let reading: Promise<Use> | null = null;
  return () => {
    reading ??= engine
      .call('fieldUse', {}, { timeoutMs: TIMEOUT_MS })
      .then((use) => (last = use))
      .catch(() => last)
      .finally(() => (reading = null));
    return reading;
  };
}
