/** Database logs: statements, connections, checkpoints, and errors. */
import { weighted, type Random } from '../random';
import { isoMicros, rounded, type CallFacts, type EventBody } from '../sample-event';
import type { Moment } from '../scenario/timeline';

interface Report {
  readonly severity: string;
  readonly state: string;
  readonly message: string;
  readonly tag?: string;
  readonly query?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly backend?: string;
}

/** Log line of the database for a call; most calls produce none. */
export function databaseLineOfCall({ call, moment }: CallFacts, random: Random): EventBody | undefined {
  const report = reportOfCall(call.status, call.cause?.kind, call.durationMs, moment, random);
  return report && eventBody(report, moment, random);
}

/** Log line of the database that is independent of calls. */
export function databaseLine(moment: Moment, random: Random): EventBody {
  const kind = moment.incident?.kind;
  if (kind === 'database' && random.chance(0.6))
    return eventBody(slowStatement(moment, random.skewed(4000), random), moment, random);
  if (kind === 'pooler' && random.chance(0.5)) return eventBody(tooManyClients(), moment, random);
  return eventBody(pickRoutine(random)(moment, random), moment, random);
}

const pickRoutine = weighted<(moment: Moment, random: Random) => Report>([
  [authorized, 44],
  [checkpoint, 34],
  [disconnected, 22],
]);

const SLOW_MS = 250;

function reportOfCall(
  status: number,
  cause: string | undefined,
  durationMs: number,
  moment: Moment,
  random: Random
): Report | undefined {
  if (cause === 'database') return statementTimeout(moment, random);
  if (cause === 'pooler') return random.chance(0.4) ? tooManyClients() : undefined;
  if (status === 409) return duplicateKey(moment, random);
  if (status === 403) return permissionDenied(moment, random);
  if (status === 404 && random.chance(0.5)) return missingRelation(moment, random);
  if (durationMs > SLOW_MS && random.chance(0.5)) return slowStatement(moment, durationMs, random);
  if (random.chance(0.09)) return slowStatement(moment, 200 + random.skewed(300), random);
  return random.chance(0.08) ? authorized(moment, random) : undefined;
}

function eventBody(report: Report, moment: Moment, random: Random): EventBody {
  const processId = 1000 + random.below(30_000);
  const startedMicros = moment.micros - random.below(3_600_000_000);
  return {
    project: moment.project.ref,
    event_message: report.message,
    metadata: {
      host: `db-${moment.project.ref}`,
      parsed: {
        application_name: random.chance(0.7) ? 'rest-gateway 13.0' : 'psql',
        backend_type: report.backend ?? 'client backend',
        ...(report.tag === undefined ? {} : { command_tag: report.tag }),
        connection_from: `203.0.113.${1 + random.below(254)}:${1024 + random.below(60_000)}`,
        database_name: 'app',
        ...(report.detail === undefined ? {} : { detail: report.detail }),
        error_severity: report.severity,
        ...(report.hint === undefined ? {} : { hint: report.hint }),
        process_id: processId,
        ...(report.query === undefined ? {} : { query: report.query, query_id: 1_000_000 + random.below(9_000_000) }),
        session_id: `${Math.floor(startedMicros / 1e6).toString(16)}.${processId.toString(16)}`,
        session_line_num: 1 + random.below(40),
        session_start_time: isoMicros(startedMicros),
        sql_state_code: report.state,
        timestamp: isoMicros(moment.micros),
        transaction_id: random.below(900_000),
        user_name: random.chance(0.8) ? 'api_user' : 'owner',
      },
    },
  };
}

function authorized(_moment: Moment, random: Random): Report {
  const user = random.chance(0.8) ? 'api_user' : 'owner';
  return {
    severity: 'LOG',
    state: '00000',
    tag: 'authentication',
    message: `connection authorized: user=${user} database=app application_name=rest-gateway SSL enabled (protocol=TLSv1.3)`,
  };
}

function disconnected(_moment: Moment, random: Random): Report {
  const minutes = String(random.below(60)).padStart(2, '0');
  return {
    severity: 'LOG',
    state: '00000',
    tag: 'idle',
    message: `disconnection: session time: 0:${minutes}:12.184 user=api_user database=app`,
  };
}

function checkpoint(_moment: Moment, random: Random): Report {
  const buffers = 20 + random.below(900);
  return {
    severity: 'LOG',
    state: '00000',
    backend: 'checkpointer',
    message: `checkpoint complete: wrote ${buffers} buffers (0.${random.below(10)}%); 0 WAL file(s) added, 0 removed, ${random.below(3)} recycled`,
  };
}

function slowStatement({ project }: Moment, durationMs: number, random: Random): Report {
  const table = random.pick(project.tables);
  return {
    severity: 'LOG',
    state: '00000',
    tag: 'SELECT',
    query: `select * from public.${table} where updated_at > $1 order by updated_at desc limit $2`,
    message: `duration: ${rounded(durationMs)} ms  plan: Limit -> Sort -> Seq Scan on ${table}`,
  };
}

function duplicateKey({ project }: Moment, random: Random): Report {
  const table = random.pick(project.tables);
  return {
    severity: 'ERROR',
    state: '23505',
    tag: 'INSERT',
    detail: `Key (id)=(${1 + random.below(5000)}) already exists.`,
    query: `insert into public.${table} (id, name) values ($1, $2)`,
    message: `duplicate key value violates unique constraint "${table}_pkey"`,
  };
}

function missingRelation({ project }: Moment, random: Random): Report {
  const table = `${random.pick(project.tables)}_old`;
  return {
    severity: 'ERROR',
    state: '42P01',
    tag: 'SELECT',
    query: `select * from ${table}`,
    message: `relation "${table}" does not exist`,
  };
}

function statementTimeout({ project }: Moment, random: Random): Report {
  return {
    severity: 'ERROR',
    state: '57014',
    tag: 'SELECT',
    query: `select count(*) from public.${random.pick(project.tables)}`,
    message: 'canceling statement due to statement timeout',
  };
}

function permissionDenied({ project }: Moment, random: Random): Report {
  const table = random.pick(project.tables);
  return {
    severity: 'ERROR',
    state: '42501',
    tag: 'SELECT',
    hint: 'Check the row-level policies of the table.',
    query: `select * from public.${table}`,
    message: `permission denied for table ${table}`,
  };
}

function tooManyClients(): Report {
  return { severity: 'FATAL', state: '53300', message: 'sorry, too many clients already' };
}
