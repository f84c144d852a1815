import { keysOf } from '../records';

/** Forms in which services and webhooks send their events: the last part of `/api/logs/{format}`. */
export const SENDER_FORMATS = {
  json: 'Any JSON objects: each one is the metadata of an event, its text the message.',
  vector: 'Vector: the same as `/api/logs`.',
  vercel: 'Log drains of Vercel, JSON or NDJSON.',
  netlify: 'Log drains of Netlify, JSON or NDJSON.',
  cloudflare: 'Logpush of Cloudflare, and its Workers.',
  'cloud-event': 'CloudEvents over HTTP: binary, structured and batched.',
  github: 'Webhooks of GitHub.',
  logplex: 'Log drains of Heroku over HTTPS.',
  syslogs: 'Syslog messages over HTTP, one a line or each behind its length.',
} as const satisfies Record<string, string>;

export type SenderFormat = keyof typeof SENDER_FORMATS;

export const SENDER_FORMAT_NAMES = keysOf(SENDER_FORMATS);
