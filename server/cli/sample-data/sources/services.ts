/**
 * Logs of the services behind the edge: authentication, realtime, storage, REST access to the database, connection
 * pooler.
 */
import { pickAddress } from '../scenario/callers';
import { hex32 } from '../event-id';
import { weighted, type Random } from '../random';
import { isoMicros, rounded, type CallFacts, type EventBody } from '../sample-event';
import type { Moment } from '../scenario/timeline';

/** Account events of the authentication service by API call; other calls cause none. */
const AUTH_ACTIONS: Readonly<Record<string, readonly [action: string, type: string]>> = {
  '/token?grant_type=refresh_token': ['token_refreshed', 'token'],
  '/token?grant_type=password': ['login', 'account'],
  '/signup': ['user_signedup', 'team'],
  '/logout': ['logout', 'account'],
};

/** The message is a JSON line as the service itself writes it. */
export function authLine({ call, moment, address, requestId }: CallFacts, random: Random): EventBody {
  const { project, micros } = moment;
  const { status } = call;
  const path = call.path.replace('/auth/v1', '');
  const account = AUTH_ACTIONS[`${path}${call.search}`];
  const line = {
    component: 'api',
    duration: Math.round(call.durationMs * 900_000),
    level: status >= 500 ? 'error' : status >= 400 ? 'warning' : 'info',
    method: call.method,
    msg: authFailure(status) ?? 'request completed',
    path,
    referer: `https://www.${project.host}`,
    remote_addr: address,
    request_id: requestId,
    status,
    time: isoMicros(micros),
    ...(status >= 400 ? { error: authFailure(status) } : {}),
    ...(account && status === 200 ? { auth_event: authEvent(...account, random) } : {}),
  };
  return {
    project: project.ref,
    event_message: JSON.stringify(line),
    metadata: { host: `auth-${project.ref}`, ...line },
  };
}

function authFailure(status: number): string | undefined {
  if (status >= 500) return 'unable to reach the database';
  if (status === 429) return 'request rate limit reached';
  return status >= 400 ? 'invalid login credentials' : undefined;
}

function authEvent(action: string, logType: string, random: Random): object {
  const person = 1 + random.below(4000);
  return {
    action,
    log_type: logType,
    actor_id: `00000000-0000-4000-8000-${String(person).padStart(12, '0')}`,
    actor_username: `person${person}@example.com`,
    actor_via_sso: false,
    ...(action === 'login' ? { traits: { provider: random.chance(0.7) ? 'email' : 'sso.example.com' } } : {}),
  };
}

const pickRealtimeLine = weighted<readonly [level: string, message: string]>([
  [['info', 'Tenant has connected clients, keeping replication alive'], 44],
  [['info', 'Channel joined: realtime:public'], 34],
  [['info', 'Billing metrics: [:realtime, :connections]'], 16],
  [['warning', 'Client sent an expired token, closing the channel'], 5],
  [['error', 'Could not start replication: too many connections'], 1],
]);

/** Log line that is independent of calls. */
export function realtimeLine(moment: Moment, random: Random): EventBody {
  const isHit = moment.incident?.kind === 'database' || moment.incident?.kind === 'pooler';
  const [level, message] =
    isHit && random.chance(0.4)
      ? (['error', 'Could not start replication: too many connections'] as const)
      : pickRealtimeLine(random);
  return realtimeBody(moment, level, message, random);
}

export function realtimeLineOfCall({ call, moment }: CallFacts, random: Random): EventBody {
  if (call.status >= 500) return realtimeBody(moment, 'error', 'Could not join: the database did not answer', random);
  if (call.status >= 400)
    return realtimeBody(moment, 'warning', 'Client sent an expired token, closing the channel', random);
  return realtimeBody(moment, 'info', 'Channel joined: realtime:public', random);
}

function realtimeBody({ project, micros }: Moment, level: string, message: string, random: Random): EventBody {
  const connected = 20 + random.below(400);
  return {
    event_message: message,
    metadata: {
      project: project.ref,
      external_id: project.ref,
      level,
      region: 'eu-central-1',
      measurements: { connected, connected_cluster: connected * 3, limit: 1500 },
      context: {
        application: 'realtime',
        domain: ['elixir', 'realtime'],
        file: 'lib/realtime/tenants.ex',
        function: 'handle_info/2',
        line: 40 + random.below(200),
        mfa: ['Realtime.Tenants', 'handle_info', '2'],
        module: 'Realtime.Tenants',
        time: Math.floor(micros),
        vm: { node: `realtime@198.51.100.${1 + random.below(6)}` },
      },
    },
  };
}

export function storageLine({ call, moment, address, agent, ray, requestId }: CallFacts, random: Random): EventBody {
  const { project } = moment;
  const { method, status } = call;
  const path = call.path.replace('/storage/v1', '');
  return {
    event_message: `${project.ref} | ${method} | ${status} | ${address} | ${path}`,
    metadata: {
      project: project.ref,
      tenantId: project.ref,
      level: status >= 500 ? 'error' : status >= 400 ? 'warning' : 'info',
      hostname: `storage-${1 + random.below(3)}`,
      pid: 100 + random.below(20),
      reqId: requestId,
      resources: [path],
      req: {
        method,
        url: path,
        path,
        hostname: project.host,
        remoteAddress: address,
        headers: { user_agent: agent.text, host: project.host, cf_ray: ray },
      },
      res: {
        statusCode: status,
        headers: {
          content_length: status < 300 ? Math.round(random.skewed(120_000)) : 0,
          content_type: status < 300 ? 'image/jpeg' : 'application/json',
        },
      },
      responseTime: rounded(call.durationMs * 0.9),
      ...(status >= 500 ? { rawError: storageFailure(call.cause?.kind) } : {}),
    },
  };
}

function storageFailure(cause: string | undefined): string {
  return cause === 'database'
    ? '{"code":"DatabaseTimeout","message":"the connection to the database timed out"}'
    : '{"code":"SlowDown","message":"reduce your request rate"}';
}

const pickGatewayLine = weighted([
  ['Successfully connected to the database', 10],
  ['Schema cache loaded', 22],
  ['Config reloaded', 16],
  ['Listening for notifications on the channel "reload"', 12],
  ['Schema cache queried in 18.4 milliseconds', 30],
]);

/** Log line that is independent of calls. */
export function gatewayLine(moment: Moment, random: Random): EventBody {
  const { incident } = moment;
  if (incident?.kind === 'database' && random.chance(0.6))
    return gatewayBody(moment, 'error', 'Failed to reach the database, retrying in 2 seconds');
  if (incident?.kind === 'pooler' && random.chance(0.6))
    return gatewayBody(moment, 'error', 'Timed out acquiring a connection from the pool');
  return gatewayBody(moment, 'info', pickGatewayLine(random));
}

/** Successful calls are not logged. */
export function gatewayLineOfCall({ call, moment }: CallFacts): EventBody | undefined {
  if (call.status < 500) return undefined;
  const reason =
    call.cause?.kind === 'pooler'
      ? 'Timed out acquiring a connection from the pool'
      : 'canceling statement due to statement timeout';
  return gatewayBody(moment, 'error', `${call.method} ${call.path} failed: ${reason}`);
}

function gatewayBody({ project, micros }: Moment, level: string, message: string): EventBody {
  return {
    project: project.ref,
    event_message: `${isoMicros(micros).slice(0, 19)}: ${message}`,
    metadata: { host: `rest-${project.ref}`, level },
  };
}

const NO_CONNECTIONS = 'LOG no more connections allowed (max_client_conn)';

/** Log line that is independent of calls. */
export function poolerLine(moment: Moment, random: Random): EventBody {
  const kind = moment.incident?.kind;
  if (kind === 'pooler' && random.chance(0.7)) return poolerBody(moment, 'error', NO_CONNECTIONS);
  if (kind === 'database' && random.chance(0.6))
    return poolerBody(moment, 'warning', `LOG ${3 + random.below(30)} clients wait for a server connection`);
  const stats = `LOG stats: ${random.below(90)} xacts/s, ${random.below(300)} queries/s, in ${random.below(90_000)} B/s, xact ${random.below(9000)} us`;
  return poolerBody(moment, 'info', stats);
}

/** Calls share connections, so few of them open one. */
export function poolerLineOfCall({ call, moment }: CallFacts, random: Random): EventBody | undefined {
  if (call.cause?.kind === 'pooler') return poolerBody(moment, 'error', NO_CONNECTIONS);
  if (!random.chance(0.06)) return undefined;
  const connection = `0x${hex32(random.below(0xffffffff))}: app/api_user@${pickAddress(random)}`;
  return poolerBody(
    moment,
    'info',
    random.chance(0.5)
      ? `LOG C-${connection} login attempt: db=app user=api_user tls=TLSv1.3`
      : `LOG C-${connection} closing because: client close request (age=${random.below(900)}s)`
  );
}

function poolerBody({ project }: Moment, level: string, message: string): EventBody {
  return {
    project: project.ref,
    event_message: message,
    metadata: { host: `pooler-${project.ref}`, level },
  };
}
