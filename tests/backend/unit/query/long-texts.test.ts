import { pluginQuerySchema } from '#contract/plugin/query';
import { readyQuery } from '#backend/query/read-query';
import { createTimeContext } from '#backend/query/time-context';

const MAX_CPU_MICROS = 3_000_000;
const time = createTimeContext(0, 3_600_000, 60_000, 500);

// Any viewer of a dashboard can send a query, and one thread reads those of all data sources.
test.each(['\\"', ':(', '${__from:', '${a:', '$__timeGroup(', 'TIMESTAMP_TRUNC(()', 't::'])(
  'a text of 200,000 characters that repeats %s is read or refused at once',
  (part) => {
    const startedAt = process.cpuUsage();
    for (const mode of ['sql', 'lql'] as const) {
      const text = part.repeat(200_000 / part.length);
      const query = pluginQuerySchema.parse({ endpoint: { name: 'logs.all' }, mode, [mode]: text });
      try {
        readyQuery(query, {}, time, false);
      } catch (error) {
        expect(error).toHaveProperty('code', 'macro_invalid');
      }
    }
    expect(process.cpuUsage(startedAt).user).toBeLessThan(MAX_CPU_MICROS);
  }
);
