/** Expensive ad-hoc queries of one token, and the latency of another token's calls beside them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { readEngineRestarts, waitUntilReady } from '../../../tests/support/hostile/engine-restarts';
import type { Dataset } from '../../support/dataset';
import { createHttpClient, type Answer, type HttpClient } from '../../support/http-client';
import { residentBytes } from '../../support/processes';
import { megabytes, ms, type Row } from '../../support/report';
import { createBenchmarkToken, startService, type ServerScripts, type Service } from '../../support/service';
import { NEIGHBOR_QUERY_P99_BAR_MS, PROJECT } from '../../support/settings';
import { quantile } from '../../support/statistics';

interface ExpensiveQuery {
  readonly name: string;
  readonly sql: string;
}

/** Callers of the expensive query, each of which sends it again when it is answered. */
const CALLERS = 2;
const BURDEN_MS = 6000;
const NEIGHBOR_EVERY_MS = 100;
/** A project of 2 % of the events. */
const NEIGHBOR_CALL = '/api/endpoints/query/usage.api-counts?project=evergreentrailguides&interval=hourly';
/** An engine that ends counts against the token, which is then refused. */
const ALLOWED_STATUS = /^(200|400|408|422|429|503|504)$/;

/** @param only queries whose name contains this text; the empty text: all */
export async function measureNeighbors(
  scripts: ServerScripts,
  root: string,
  dataset: Dataset,
  only = ''
): Promise<Row[]> {
  const queries = (
    parse(readFileSync(join(root, 'benchmarks', 'callers', 'neighbors', 'queries.yaml'), 'utf8')) as ExpensiveQuery[]
  ).filter(({ name }) => name.includes(only));
  const service = await startService(scripts, dataset.dataDir, { logLevel: 'fatal' });
  try {
    const rows = [neighborRow('alone', await neighborCalls(service, sleep(BURDEN_MS)), '', 0, dataset)];
    for (const [at, query] of queries.entries()) {
      // A token of its own: what one query costs does not count for the next.
      const token = await createBenchmarkToken(dataset.dataDir, `burden-${Date.now()}-${at}`, ['query', 'adhoc']);
      rows.push(await burden(service, token, query, dataset));
    }
    return rows;
  } finally {
    await service.stop();
  }
}

async function burden(service: Service, token: string, query: ExpensiveQuery, dataset: Dataset): Promise<Row> {
  await waitUntilReady(service.url);
  const restarts = await readEngineRestarts(service.url, service.token);
  const until = performance.now() + BURDEN_MS;
  const callers = Array.from({ length: CALLERS }, () => createHttpClient(service.url, token));
  const running = Promise.all(callers.map((caller) => askUntil(caller, query.sql, until)));
  const durationsMs = await neighborCalls(service, running);
  const answers = (await running).flat();
  for (const caller of callers) caller.close();
  const ended = (await readEngineRestarts(service.url, service.token)) - restarts;
  const statuses = answers.map(({ status }) => String(status));
  const odd = statuses.find((status) => !ALLOWED_STATUS.test(status));
  if (odd !== undefined) throw new Error(`"${query.name}": ${odd} ${answers[statuses.indexOf(odd)]?.body.toString()}`);
  const codes = [...new Set(answers.map((answer) => codeOf(answer)))].join(', ');
  const slowestMs = Math.max(...answers.map((answer) => answer.durationMs));
  const memory = megabytes(residentBytes(service.serverPid));
  return neighborRow(
    `beside: ${query.name}`,
    durationsMs,
    `${answers.length} answers, ${codes}, slowest ${ms(slowestMs)}; server ${memory}`,
    ended,
    dataset
  );
}

function codeOf({ status, body }: Answer): string {
  if (status === 200) return '200';
  const { error } = JSON.parse(body.toString('utf8')) as { error: { code: string; reason?: string } };
  return `${status} ${error.reason ?? error.code}`;
}

async function askUntil(client: HttpClient, sql: string, until: number): Promise<Answer[]> {
  const path = `/api/endpoints/query/logs.all?${new URLSearchParams({ project: PROJECT, sql }).toString()}`;
  const answers: Answer[] = [];
  do answers.push(await client.get(path));
  while (performance.now() < until);
  return answers;
}

/** Durations of calls until `ended`, those that fail as infinity. */
async function neighborCalls(service: Service, ended: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  void ended.finally(() => (isOver = true));
  const durationsMs: number[] = [];
  while (!isOver) {
    const next = performance.now() + NEIGHBOR_EVERY_MS;
    const answer = await service.client.get(NEIGHBOR_CALL);
    durationsMs.push(answer.status === 200 ? answer.durationMs : Infinity);
    await sleep(Math.max(0, next - performance.now()));
  }
  return durationsMs;
}

function neighborRow(
  what: string,
  durationsMs: readonly number[],
  detail: string,
  ended: number,
  dataset: Dataset
): Row {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  const p99Ms = quantile(sorted, 0.99);
  const failed = sorted.filter((duration) => duration === Infinity).length;
  return {
    what,
    size: `${dataset.events / 1e6} M`,
    against: '',
    measured: `${ms(quantile(sorted, 0.5))}, p99 ${ms(p99Ms)}`,
    p95: ms(quantile(sorted, 0.95)),
    bar: `p99 ${ms(NEIGHBOR_QUERY_P99_BAR_MS)}`,
    isWithin: p99Ms <= NEIGHBOR_QUERY_P99_BAR_MS && failed === 0 && ended === 0,
    detail: [
      `${sorted.length} calls`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(ended > 0 ? [`the engine ended ${ended} times`] : []),
      ...(detail === '' ? [] : [detail]),
    ].join('; '),
    figures: { p50Ms: quantile(sorted, 0.5), p99Ms, failed, ended },
  };
}
