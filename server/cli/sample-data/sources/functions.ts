/** Function relay logs (one per call) and function runtime events (boot, log lines, shutdown). */
import type { SampleFunction } from '../scenario/projects';
import type { Random } from '../random';
import type { CallFacts, EventBody } from '../sample-event';
import type { Moment } from '../scenario/timeline';

const REGIONS = ['eu-central-1', 'us-east-1', 'ap-southeast-2'];
const VERSION = 6;

/** The relay's line of one call, and what the runtime writes about it, in order. */
export function functionLines(
  { call, moment, agent, requestId }: CallFacts,
  called: SampleFunction,
  random: Random
): { readonly relay: EventBody; readonly runtime: readonly EventBody[] } {
  const run = { moment, called, executionId: executionId(random), region: random.pick(REGIONS), requestId };
  const url = `https://${moment.project.host}/functions/v1/${called.name}`;
  const relay = {
    event_message: `${call.method} | ${call.status} | ${url}`,
    metadata: {
      project_ref: moment.project.ref,
      function_id: called.id,
      deployment_id: deploymentId(called),
      execution_id: run.executionId,
      execution_time_ms: Math.max(2, Math.round(call.durationMs * 0.9)),
      version: String(VERSION),
      request: {
        method: call.method,
        host: moment.project.host,
        pathname: `/functions/v1/${called.name}`,
        protocol: 'https:',
        url,
        headers: { user_agent: agent.text, content_type: 'application/json' },
      },
      response: { status_code: call.status, headers: { content_type: 'application/json' } },
    },
  };
  const reports = [
    ...(random.chance(0.25) ? [boot(random)] : []),
    logLine(random),
    ...(call.status >= 500 ? [failure(call.cause?.kind, random)] : []),
    ...(random.chance(0.2) ? [shutdown(random)] : []),
  ];
  return { relay, runtime: reports.map((report) => runtimeBody(report, run)) };
}

interface Run {
  readonly moment: Moment;
  readonly called: SampleFunction;
  readonly executionId: string;
  readonly region: string;
  readonly requestId: string;
}

interface Report {
  readonly type: string;
  readonly level: string;
  readonly message: string;
  readonly facts: object;
}

function runtimeBody(report: Report, { moment, called, executionId, region, requestId }: Run): EventBody {
  return {
    event_message: report.message,
    metadata: {
      project_ref: moment.project.ref,
      function_id: called.id,
      deployment_id: deploymentId(called),
      execution_id: executionId,
      request_id: requestId,
      event_type: report.type,
      level: report.level,
      region,
      version: String(VERSION),
      ...report.facts,
    },
  };
}

function logLine(random: Random): Report {
  const level = random.chance(0.86) ? 'info' : random.chance(0.6) ? 'warning' : 'debug';
  const message = random.pick(['request accepted', 'reading row from table', 'mail queued', 'result taken from cache']);
  return { type: 'Log', level, message, facts: {} };
}

function boot(random: Random): Report {
  const time = Math.round(random.skewed(38));
  return { type: 'Boot', level: 'log', message: `booted (time: ${time}ms)`, facts: { boot_time: time } };
}

function shutdown(random: Random): Report {
  const heap = 4_000_000 + random.below(30_000_000);
  return {
    type: 'Shutdown',
    level: 'log',
    message: 'shutdown',
    facts: {
      reason: random.chance(0.9) ? 'EarlyDrop' : 'CPUTime',
      cpu_time_used: Math.round(random.skewed(90)),
      memory_used: { heap, external: 900_000, total: heap + 900_000 },
    },
  };
}

function failure(cause: string | undefined, random: Random): Report {
  if (cause === 'database' || cause === 'pooler')
    return { type: 'Log', level: 'error', message: 'Error: the database did not answer in 5000 ms', facts: {} };
  const line = 10 + random.below(80);
  return {
    type: 'UncaughtException',
    level: 'error',
    message: `TypeError: Cannot read properties of undefined (reading 'id')\n    at file:///home/app/index.ts:${line}:17`,
    facts: { exception: { name: 'TypeError', line } },
  };
}

function deploymentId(called: SampleFunction): string {
  return `${called.id.slice(0, 8)}_${VERSION}`;
}

function executionId(random: Random): string {
  const part = (): string => random.below(0x10000).toString(16).padStart(4, '0');
  return `${part()}${part()}-${part()}-4${part().slice(1)}-8${part().slice(1)}-${part()}${part()}${part()}`;
}
