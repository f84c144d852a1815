/** Fields of plugin.json that Grafana's schema allows a data source to have, without those for apps and panels. */
import { z } from 'zod';

const ID = /^[0-9a-z]+-([0-9a-z]+-)?(app|panel|datasource)$/;
const flag = z.boolean().optional();
const text = z.string().optional();

const info = z.strictObject({
  author: z.strictObject({ name: text, email: z.email().optional(), url: z.url().optional() }).optional(),
  build: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  description: text,
  keywords: z.array(z.string()).min(1),
  links: z
    .array(
      z.strictObject({
        name: text,
        url: z.url().optional(),
        target: z.enum(['_blank', '_self', '_parent', '_top']).optional(),
      })
    )
    .optional(),
  logos: z.strictObject({ small: z.string(), large: z.string() }),
  screenshots: z.array(z.strictObject({ name: text, path: text })).optional(),
  // Narrower than the schema, which also takes the placeholders of the sources.
  updated: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  version: z.string().regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/),
});

const include = z.object({
  uid: text,
  type: z.enum(['dashboard', 'page', 'panel', 'datasource']),
  name: text,
  role: z.enum(['Admin', 'Editor', 'Viewer']).optional(),
  path: text,
  addToNav: flag,
  defaultNav: flag,
  icon: text,
});

const dependencies = z.strictObject({
  grafanaVersion: text,
  grafanaDependency: z.string().min(1),
  plugins: z
    .array(z.object({ id: z.string().regex(ID), name: z.string(), type: z.enum(['app', 'datasource', 'panel']) }))
    .optional(),
});

export const MANIFEST_SCHEMA = z.strictObject({
  $schema: text,
  id: z.string().regex(ID),
  name: z.string(),
  type: z.literal('datasource'),
  category: text,
  info,
  dependencies,
  includes: z.array(include).optional(),
  executable: text,
  buildMode: text,
  docsPath: text,
  languages: z.array(z.string()).optional(),
  state: z.enum(['alpha', 'beta', 'stable', 'deprecated']).optional(),
  queryOptions: z.strictObject({ maxDataPoints: flag, minInterval: flag, cacheTimeout: flag }).optional(),
  alerting: flag,
  annotations: flag,
  backend: flag,
  hideFromList: flag,
  logs: flag,
  metrics: flag,
  mixed: flag,
  multiValueFilterOperators: flag,
  preload: flag,
  streaming: flag,
  tracing: flag,
});
