/**
 * A job: writes a store file that holds the base events several times, each copy turned round the week by other days
 * and with ids and rays of its own, in time order.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { DuckDBInstance, quotedIdentifier } from '@duckdb/node-api';
import { columnDefinitions, partAt, partTables } from './parts';
import { serveJob } from './run-apart';
import { WINDOW_MICROS } from './settings';

export interface MultiplyJob {
  readonly baseFile: string;
  readonly targetFile: string;
  readonly tempDir: string;
  readonly copies: number;
  readonly baseEndMicros: number;
  readonly endMicros: number;
}

const HOUR_MICROS = 3600 * 1_000_000;
const DAY_MICROS = 24 * HOUR_MICROS;
const WITH_RAY = [
  'event_message',
  'metadata.request.headers.cf_ray',
  'metadata.response.headers.cf_ray',
  'metadata_json',
];
const RAY = `regexp_extract(event_message, ' \\| ([0-9a-f]{16}) \\| ', 1)`;

serveJob<MultiplyJob, object>(async (job) => {
  copyFileSync(job.baseFile, job.targetFile);
  mkdirSync(job.tempDir, { recursive: true });
  const instance = await DuckDBInstance.create(job.targetFile, {
    temp_directory: job.tempDir,
    // The store's packing of texts needs a recent one.
    storage_compatibility_version: 'latest',
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`ATTACH '${job.baseFile.replaceAll("'", "''")}' AS base (READ_ONLY)`);
  const baseParts = await partTables(connection, 'base');
  const columns = await columnDefinitions(connection, 'base', baseParts.at(-1) as string);
  for (const part of await partTables(connection, 'logs')) await connection.run(`DROP TABLE ${quotedIdentifier(part)}`);

  const startMicros = job.endMicros - WINDOW_MICROS;
  for (let from = startMicros; from < job.endMicros; from = nextDay(from)) {
    const to = Math.min(nextDay(from), job.endMicros);
    const part = quotedIdentifier(partAt(from));
    await connection.run(`CREATE TABLE IF NOT EXISTS ${part} (${columns.join(', ')})`);
    const sources = slices(job, baseParts, from, to).join(' UNION ALL BY NAME ');
    await connection.run(`INSERT INTO ${part} BY NAME SELECT * FROM (${sources}) ORDER BY "timestamp"`);
  }
  await connection.run('DETACH base');
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
  return {};
});

/** For one target day: from each copy, the events that its turn brings into that day. */
function slices(job: MultiplyJob, baseParts: readonly string[], from: number, to: number): string[] {
  const baseStart = job.baseEndMicros - WINDOW_MICROS;
  const targetStart = job.endMicros - WINDOW_MICROS;
  return Array.from({ length: job.copies }, (_, copy) => {
    // Whole days, and a few hours more after each week.
    const turn = copy * DAY_MICROS + Math.floor(copy / 7) * 5 * HOUR_MICROS;
    // Where in the base week the target day comes from; it may lie across the seam of the week.
    const offset = modulo(from - targetStart - turn, WINDOW_MICROS);
    const first = Math.min(to - from, WINDOW_MICROS - offset);
    const pieces = [{ at: baseStart + offset, until: baseStart + offset + first, shift: from - baseStart - offset }];
    if (first < to - from)
      pieces.push({ at: baseStart, until: baseStart + to - from - first, shift: from + first - baseStart });
    return pieces.flatMap(({ at, until, shift }) =>
      baseParts.filter((part) => overlaps(part, at, until)).map((part) => slice(part, copy, at, until, shift))
    );
  }).flat();
}

function slice(part: string, copy: number, at: number, until: number, shift: number): string {
  const own = copy > 0 ? [ownId(copy), ...WITH_RAY.map((column) => ownRay(column, copy))] : [];
  const replaced = [`"timestamp" + to_microseconds(${shift}) AS "timestamp"`, ...own];
  return `SELECT * REPLACE (${replaced.join(', ')}) FROM base.${quotedIdentifier(part)}
    WHERE "timestamp" >= make_timestamp(${at}) AND "timestamp" < make_timestamp(${until})`;
}

function ownId(copy: number): string {
  return `CAST(CAST(md5(id || '/${copy}') AS UUID) AS VARCHAR) AS id`;
}

/** A ray is a word that one event has: in `copies` events, searches for it would read as many blocks more. */
function ownRay(column: string, copy: number): string {
  const name = quotedIdentifier(column);
  return `replace(${name}, ${RAY}, substr(md5(${RAY} || '/${copy}'), 1, 16)) AS ${name}`;
}

function overlaps(part: string, at: number, until: number): boolean {
  const dayStart = Date.parse(`${part.slice(-10)}T00:00:00Z`) * 1000;
  return dayStart < until && dayStart + DAY_MICROS > at;
}

function nextDay(micros: number): number {
  return (Math.floor(micros / DAY_MICROS) + 1) * DAY_MICROS;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
