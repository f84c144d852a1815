/** The two endpoints that every service starts with, as the backend tells them. */
import type { EndpointResource, EndpointSummary } from '#contract/plugin/resources';

const COMMON = {
  max_rows: 1000,
  sandbox: true,
  redact_pii: false,
  redact: ['token', 'email', 'ip', 'card'],
  timeout_ms: 10_000,
  max_bytes: 8_388_608,
  unknown_parameters: 'ignore',
  revision: 1,
} as const;

export const USAGE: EndpointSummary = {
  ...COMMON,
  id: '9b2c1f9e-6d0a-4d0e-8b8e-2f4f1d1f7a10',
  name: 'usage.api-counts',
  description: 'Request counts per time bucket for one project, split by API area.',
  cache_seconds: 900,
  warm_seconds: 300,
  parameters: [
    {
      name: 'interval',
      type: 'text',
      required: true,
      enum: ['minutely', 'hourly', 'daily'],
      description: 'Bucket size.',
    },
    { name: 'project', type: 'text', required: true, format: 'regex', description: 'Pattern of the request URL.' },
  ],
};

export const LOGS: EndpointSummary = {
  ...COMMON,
  id: '15fc1d09-9e20-4e0f-9665-27dfe9e89c5e',
  name: 'logs.all',
  description: 'Newest log events of one project.',
  cache_seconds: null,
  warm_seconds: null,
  parameters: [
    { name: 'project', type: 'text', required: true, description: 'Project identifier, matched exactly.' },
    {
      name: 'iso_timestamp_start',
      type: 'text',
      required: false,
      format: 'iso8601',
      description: 'Only events after this time.',
    },
    {
      name: 'iso_timestamp_end',
      type: 'text',
      required: false,
      format: 'iso8601',
      description: 'Only events up to this time.',
    },
  ],
};

export const LOGS_DETAIL: EndpointResource = {
  endpoint: {
    ...LOGS,
    parameters: [...LOGS.parameters],
    query: 'WITH edge_logs AS (…) SELECT e.id FROM edge_logs AS e ORDER BY e.timestamp DESC, e.id DESC LIMIT 100',
  },
  fields: [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    { name: 'event_message', type: 'STRING' },
  ],
  tables: [
    {
      name: 'edge_logs',
      columns: [
        { name: 'id', type: 'STRING' },
        { name: 'timestamp', type: 'TIMESTAMP' },
        { name: 'event_message', type: 'STRING' },
        {
          name: 'metadata',
          type: 'ARRAY<STRUCT>',
          fields: [
            {
              name: 'request',
              type: 'ARRAY<STRUCT>',
              fields: [
                { name: 'method', type: 'STRING' },
                { name: 'path', type: 'STRING' },
              ],
            },
            { name: 'response', type: 'ARRAY<STRUCT>', fields: [{ name: 'status_code', type: 'INT64' }] },
          ],
        },
      ],
    },
    {
      name: 'auth_logs',
      columns: [
        { name: 'id', type: 'STRING' },
        { name: 'timestamp', type: 'TIMESTAMP' },
        { name: 'event_message', type: 'STRING' },
        { name: 'metadata', type: 'ARRAY<STRUCT>', fields: [{ name: 'level', type: 'STRING' }] },
      ],
    },
  ],
};
