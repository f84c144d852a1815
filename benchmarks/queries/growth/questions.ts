/** What dashboards, alert rules and people ask most, as calls over HTTP; each runs, none is answered from the cache. */
import type { HttpClient } from '../../support/http-client';
import { PROJECT } from '../../support/settings';

export interface GrowthQuestion {
  readonly name: string;
  /** Path and query string of the nth call, from 0. */
  readonly call: (n: number) => string;
  /** Rows that every answer has at least. */
  readonly rows: number;
  /** How many calls differ; undefined: as many as are wanted, all alike. */
  readonly calls?: number;
}

export const QUIET_PROJECT = 'evergreentrailguides';
const HOUR_MS = 3600 * 1000;

/** Searches URLs, as counts do: their filters are made after the first search. No event has the text. */
export const SEARCH_OF_URLS = usage('daily', 'no-project-has-this-name');

/** @param word that a single event has */
export function growthQuestions(word: string, endMicros: number): readonly GrowthQuestion[] {
  const hoursBefore = (hours: number): string => isoBefore(endMicros, hours);
  return [
    { name: 'select 1', rows: 1, call: () => logs({ sql: 'select 1 as one' }) },
    { name: 'usage, minutely', rows: 1, call: () => usage('minutely', PROJECT) },
    { name: 'usage, daily, first', rows: 7, calls: 12, call: (n) => usage('daily', PROJECT, firstCounts(n)) },
    { name: 'usage, daily, other pattern', rows: 7, calls: 12, call: (n) => usage('daily', PROJECT.slice(0, 19 - n)) },
    { name: 'usage, daily, again', rows: 7, call: () => usage('daily', PROJECT) },
    { name: 'usage, daily, again, quiet project', rows: 7, call: () => usage('daily', QUIET_PROJECT) },
    { name: 'newest 100', rows: 100, call: () => logs({}) },
    {
      name: '100 of six hours, three days ago',
      rows: 100,
      call: () => logs({ iso_timestamp_start: hoursBefore(78), iso_timestamp_end: hoursBefore(72) }),
    },
    { name: 'failures by path', rows: 1, call: () => logs({ sql: FAILURES_BY_PATH }) },
    { name: 'newest 100 failed, with metadata', rows: 100, call: () => logs({ sql: NEWEST_FAILED }) },
    { name: 'a rare word', rows: 1, call: () => logs({ sql: containing(word) }) },
    { name: 'a rare piece of a word', rows: 1, call: () => logs({ sql: containing(word.slice(2, -2)) }) },
  ];
}

const OPENED =
  'from edge_logs as e cross join unnest(e.metadata) as md cross join unnest(md.request) as rq cross join unnest(md.response) as rs';
const FAILURES_BY_PATH = `select rq.path, count(*) as failures ${OPENED} where rs.status_code >= 500 group by path order by failures desc, path limit 50`;
const NEWEST_FAILED = `select e.id, e.timestamp, e.event_message, e.metadata ${OPENED} where rs.status_code >= 500 order by e.timestamp desc limit 100`;

function containing(word: string): string {
  return `select id, timestamp, event_message from edge_logs where event_message like '%${word}%' order by timestamp desc limit 100`;
}

/** A word that a single event has: the ray of the newest event three days before the end. */
export async function rareWord(client: HttpClient, endMicros: number): Promise<string> {
  const sql = 'select event_message from edge_logs order by timestamp desc limit 1';
  const answer = await client.get(logs({ sql, iso_timestamp_end: isoBefore(endMicros, 72) }));
  const ray = / \| ([0-9a-f]{12,}) \| /.exec(answer.body.toString('utf8'))?.[1];
  if (ray === undefined) throw new Error(`no ray in ${answer.status} ${answer.body.toString('utf8')}`);
  return ray;
}

export function isoBefore(endMicros: number, hours: number): string {
  return new Date(endMicros / 1000 - hours * HOUR_MS).toISOString();
}

function usage(interval: string, project: string, sql?: string): string {
  return endpoint('usage.api-counts', { interval, project, ...(sql !== undefined && { sql }) });
}

/**
 * The counts of the saved query for other requests with each number, so that no counts are kept for them: patterns that
 * the same projects have share theirs.
 */
function firstCounts(n: number): string {
  const areas = ['rest', 'storage', 'auth', 'realtime'];
  const counts = areas.map((area) => `sum(if(strpos(path, '/${area}') > 0, requests, 0)) as total_${area}_requests`);
  return (
    `select bucket as timestamp, ${counts.join(', ')} from (select timestamp_trunc(timestamp, day) as bucket, path, ` +
    `count(*) as requests from requests where path <> '/none/${n}' group by bucket, path) group by bucket order by bucket`
  );
}

function logs(parameters: Record<string, string>): string {
  return endpoint('logs.all', { project: PROJECT, ...parameters });
}

function endpoint(name: string, parameters: Record<string, string>): string {
  return `/api/endpoints/query/${name}?${new URLSearchParams(parameters).toString()}`;
}
