/** A query of a panel, an alert rule or Explore, as Grafana stores it and passes it to the backend. */
import { z } from 'zod';
import { FILTER_OPERATORS } from './field-filter';

const QUERY_SCHEMA_VERSION = 1;

const QUERY_MODES = ['saved', 'sql', 'lql'] as const;
export type QueryMode = (typeof QUERY_MODES)[number];

/**
 * `auto` chooses by the returned columns: a time and numbers are a time series, a time and `event_message` are logs,
 * all else is a table.
 */
const QUERY_FORMATS = ['auto', 'time_series', 'logs', 'table'] as const;
export type QueryFormat = (typeof QUERY_FORMATS)[number];

/** Maximum number of rows of a saved query. */
export const MAX_ROWS = 100_000;

/** Keys that Grafana adds (`refId`, `hide`, `datasource`, …) are not declared and are ignored. */
export const pluginQuerySchema = z.object({
  schemaVersion: z.literal(QUERY_SCHEMA_VERSION).default(QUERY_SCHEMA_VERSION),
  endpoint: z
    .object({ id: z.string().optional(), name: z.string().optional() })
    .default({})
    .describe(
      'The saved query: called by its id when there is one, so that renaming breaks no panel; the name is for people.'
    ),
  mode: z
    .enum(QUERY_MODES)
    .default('saved')
    .describe('`sql` and `lql` run the text in the sandbox of the saved query.'),
  params: z
    .record(z.string(), z.string())
    .default({})
    .describe('Values of declared parameters; macros are resolved, empty ones are not sent.'),
  editorMode: z
    .enum(['builder', 'code'])
    .optional()
    .describe('Of the editor only: how the text is shown. Without it a text is code, and no text yet is the builder.'),
  sql: z.string().optional(),
  lql: z.string().optional(),
  format: z.enum(QUERY_FORMATS).default('auto'),
  fill: z
    .enum(['gap', 'zero'])
    .default('gap')
    .describe('Of time series with buckets of a known width: what stands where a bucket has no row.'),
  redactPii: z.boolean().optional().describe('True asks for redaction; it can never be turned off from here.'),
  filters: z
    .array(z.object({ field: z.string(), operator: z.enum(FILTER_OPERATORS), value: z.string() }))
    .max(50)
    .default([])
    .describe(
      'Of modes `lql` and `sql`: field filters that hold beside the text, by dotted path as LQL writes it (`m.request.path`).'
    ),
  maxRows: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Rows kept of the answer; a notice tells when more came. It does not raise the limit of the saved query.'
    ),
});

export type FieldFilter = z.infer<typeof pluginQuerySchema>['filters'][number];

export type PluginQuery = z.infer<typeof pluginQuerySchema>;
/** Stored form, in which keys with a default may be absent. */
export type PluginQueryInput = z.input<typeof pluginQuerySchema>;
