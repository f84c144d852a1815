/**
 * plugin.json by the rules of Grafana's own schema, as far as they concern a data source; and by what the other parts
 * call themselves.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { EXECUTABLE, PLUGIN_ID } from '#contract/plugin/plugin';

const ROOT = path.join(__dirname, '../../..');
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const text = z.string().min(1);
const yes = z.literal(true);

const manifestSchema = z.strictObject({
  $schema: z.url(),
  type: z.literal('datasource'),
  name: text,
  id: z.string().regex(/^[0-9a-z]+-([0-9a-z]+-)?datasource$/),
  // Grafana 10.1 knows these and no others.
  category: z.enum(['tsdb', 'logging', 'cloud', 'tracing', 'profiling', 'sql', 'enterprise', 'iot', 'other']),
  metrics: yes,
  multiValueFilterOperators: z.boolean(),
  logs: yes,
  annotations: yes,
  alerting: yes,
  streaming: yes,
  backend: yes,
  executable: text,
  includes: z.array(z.strictObject({ type: z.literal('dashboard'), name: text, path: text })).min(1),
  queryOptions: z.strictObject({ maxDataPoints: z.boolean(), minInterval: z.boolean() }),
  info: z.strictObject({
    description: text,
    author: z.strictObject({ name: text }),
    keywords: z.array(text).min(1),
    logos: z.strictObject({ small: z.string().endsWith('.svg'), large: z.string().endsWith('.svg') }),
    links: z.array(z.strictObject({ name: text, url: z.url() })).min(1),
    screenshots: z.array(z.strictObject({ name: text, path: z.string().endsWith('.png') })).min(1),
    // Filled in when it is built.
    version: z.literal('%VERSION%'),
    updated: z.literal('%TODAY%'),
  }),
  dependencies: z.strictObject({
    grafanaDependency: z.string().regex(/^(<=|>=|<|>|=|~|\^)?\d+(\.[0-9x*]+)(\.[0-9x*]+)?$/),
    plugins: z.array(z.never()),
  }),
});

test('plugin.json follows the rules, and uses the names of the backend and the packages', () => {
  const manifest = manifestSchema.parse(read('plugin.json'));
  expect(manifest).toMatchObject({ id: PLUGIN_ID, executable: EXECUTABLE });
  expect(manifest.dependencies.grafanaDependency).toBe('>=10.1.5');
  expect((read('package.json') as { version: string }).version).toMatch(/^\d+\.\d+\.\d+$/);
});
