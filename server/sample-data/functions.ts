/** Function relay logs (one per call) and function runtime events (boot, log lines, shutdown). */
import { pickAgent } from './callers';
import { weighted, type Random } from './random';
import type { EventMaker } from './sample-event';
import type { Moment } from './timeline';

const REGIONS = ['eu-central-1', 'us-east-1', 'ap-southeast-2'];

export const makeFunctionRelayEvent: EventMaker = ({ project, incident }, random) => {
  const called = random.pick(project.functions);
  const isHit = incident?.area === 'functions';
  const status = isHit && random.chance(incident.failures) ? 500 : random.chance(0.03) ? 401 : 200;
  const url = `https://${project.host}/functions/v1/${called.name}`;
  return {
    event_message: `POST | ${status} | ${url}`,
    metadata: {
      project_ref: project.ref,
      function_id: called.id,
      deployment_id: `${called.id.slice(0, 8)}_${3 + random.below(4)}`,
      execution_id: executionId(random),
      execution_time_ms: Math.max(2, Math.round(random.skewed(isHit ? 140 * incident.slowness : 140))),
      version: String(3 + random.below(4)),
      request: {
        method: 'POST',
        host: project.host,
        pathname: `/functions/v1/${called.name}`,
        protocol: 'https:',
        url,
        headers: { user_agent: pickAgent(random).text, content_type: 'application/json' },
      },
      response: { status_code: status, headers: { content_type: 'application/json' } },
    },
  };
};

interface RuntimeReport {
  readonly type: string;
  readonly level: string;
  readonly message: string;
  readonly facts: object;
}

type ReportMaker = (moment: Moment, random: Random) => RuntimeReport;

const pickReport = weighted<ReportMaker>([
  [logLine, 62],
  [boot, 18],
  [shutdown, 17],
  [uncaught, 3],
]);

export const makeFunctionRuntimeEvent: EventMaker = (moment, random) => {
  const isIncident = moment.incident?.area === 'functions' && random.chance(0.5);
  const report = (isIncident ? uncaught : pickReport(random))(moment, random);
  const called = random.pick(moment.project.functions);
  return {
    event_message: report.message,
    metadata: {
      project_ref: moment.project.ref,
      function_id: called.id,
      deployment_id: `${called.id.slice(0, 8)}_${3 + random.below(4)}`,
      execution_id: executionId(random),
      event_type: report.type,
      level: report.level,
      region: random.pick(REGIONS),
      version: String(3 + random.below(4)),
      ...report.facts,
    },
  };
};

function logLine(_moment: Moment, random: Random): RuntimeReport {
  const level = random.chance(0.86) ? 'info' : random.chance(0.6) ? 'warning' : 'debug';
  const message = random.pick(['request accepted', 'reading row from table', 'mail queued', 'result taken from cache']);
  return { type: 'Log', level, message, facts: {} };
}

function boot(_moment: Moment, random: Random): RuntimeReport {
  const time = Math.round(random.skewed(38));
  return { type: 'Boot', level: 'log', message: `booted (time: ${time}ms)`, facts: { boot_time: time } };
}

function shutdown(_moment: Moment, random: Random): RuntimeReport {
  const heap = 4_000_000 + random.below(30_000_000);
  const reason = random.chance(0.9) ? 'EarlyDrop' : 'CPUTime';
  return {
    type: 'Shutdown',
    level: 'log',
    message: 'shutdown',
    facts: {
      reason,
      cpu_time_used: Math.round(random.skewed(90)),
      memory_used: { heap, external: 900_000, total: heap + 900_000 },
    },
  };
}

function uncaught(_moment: Moment, random: Random): RuntimeReport {
  const line = 10 + random.below(80);
  return {
    type: 'UncaughtException',
    level: 'error',
    message: `TypeError: Cannot read properties of undefined (reading 'id')\n    at file:///home/app/index.ts:${line}:17`,
    facts: { exception: { name: 'TypeError', line } },
  };
}

function executionId(random: Random): string {
  const part = (): string => random.below(0x10000).toString(16).padStart(4, '0');
  return `${part()}${part()}-${part()}-4${part().slice(1)}-8${part().slice(1)}-${part()}${part()}${part()}`;
}
