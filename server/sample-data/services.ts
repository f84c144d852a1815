/** Logs of the services behind the edge: authentication, realtime, storage, REST-over-database, connection pooler. */
import { pickAddress, pickAgent } from './callers';
import { hex32 } from './event-id';
import { weighted, type Random } from './random';
import { isoMicros, rounded, type EventMaker } from './sample-event';

const pickAuthEvent = weighted([
  [{ path: '/token', method: 'POST', action: 'token_refreshed', type: 'token' }, 50],
  [{ path: '/user', method: 'GET', action: undefined, type: undefined }, 22],
  [{ path: '/token', method: 'POST', action: 'login', type: 'account' }, 16],
  [{ path: '/signup', method: 'POST', action: 'user_signedup', type: 'team' }, 6],
  [{ path: '/logout', method: 'POST', action: 'logout', type: 'account' }, 6],
]);

/** The message is the service's own JSON line, as that service writes it. */
export const makeAuthEvent: EventMaker = ({ project, incident, micros }, random) => {
  const call = pickAuthEvent(random);
  const isHit = incident?.area === 'auth' && random.chance(incident.failures);
  const status = isHit ? 500 : random.chance(0.05) ? 400 : 200;
  const level = status >= 500 ? 'error' : status >= 400 ? 'warning' : 'info';
  const error =
    status >= 500 ? 'unable to reach the database' : status >= 400 ? 'invalid login credentials' : undefined;
  const line = {
    component: 'api',
    duration: Math.round(random.skewed(incident?.area === 'auth' ? 90_000_000 : 42_000_000)),
    level,
    method: call.method,
    msg: error ?? 'request completed',
    path: call.path,
    referer: `https://www.${project.host}`,
    remote_addr: pickAddress(random),
    request_id: hex32(random.below(0xffffffff)),
    status,
    time: isoMicros(micros),
    ...(error === undefined ? {} : { error }),
    ...(call.action === undefined || status !== 200
      ? {}
      : { auth_event: authEvent(call.action, call.type ?? '', random) }),
  };
  return {
    project: project.ref,
    event_message: JSON.stringify(line),
    metadata: { host: `auth-${project.ref}`, ...line },
  };
};

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
  [['info', 'Tenant has connected clients, keeping replication alive'], 40],
  [['info', 'Channel joined: realtime:public'], 34],
  [['info', 'Billing metrics: [:realtime, :connections]'], 14],
  [['warning', 'Client sent an expired token, closing the channel'], 7],
  [['error', 'Could not start replication: too many connections'], 5],
]);

export const makeRealtimeEvent: EventMaker = ({ project, micros }, random) => {
  const [level, message] = pickRealtimeLine(random);
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
};

export const makeStorageEvent: EventMaker = ({ project, incident }, random) => {
  const isHit = incident?.area === 'storage';
  const bucket = random.pick(project.buckets);
  const method = random.chance(0.85) ? 'GET' : 'POST';
  const path = `/object/${method === 'GET' ? 'public/' : ''}${bucket}/${bucket.slice(0, 3)}-${1 + random.below(900)}.jpg`;
  const status = isHit && random.chance(incident.failures) ? 500 : random.chance(0.04) ? 404 : 200;
  const address = pickAddress(random);
  return {
    event_message: `${project.ref} | ${method} | ${status} | ${address} | ${path}`,
    metadata: {
      project: project.ref,
      tenantId: project.ref,
      level: status >= 500 ? 'error' : 'info',
      hostname: `storage-${1 + random.below(3)}`,
      pid: 100 + random.below(20),
      reqId: hex32(random.below(0xffffffff)),
      resources: [path],
      req: {
        method,
        url: path,
        hostname: project.host,
        remoteAddress: address,
        headers: { user_agent: pickAgent(random).text, host: project.host },
      },
      res: {
        statusCode: status,
        headers: { content_length: Math.round(random.skewed(120_000)), content_type: 'image/jpeg' },
      },
      responseTime: rounded(random.skewed(isHit ? 55 * incident.slowness : 55)),
      ...(status >= 500 ? { rawError: '{"code":"SlowDown","message":"reduce your request rate"}' } : {}),
    },
  };
};

const pickGatewayLine = weighted([
  ['Successfully connected to the database', 10],
  ['Schema cache loaded', 22],
  ['Config reloaded', 16],
  ['Listening for notifications on the channel "reload"', 12],
  ['Schema cache queried in 18.4 milliseconds', 30],
]);

export const makeRestGatewayEvent: EventMaker = ({ project, incident, micros }, random) => {
  const isDown = incident?.area === 'rest' && random.chance(0.6);
  const message = isDown ? 'Failed to reach the database, retrying in 2 seconds' : pickGatewayLine(random);
  return {
    project: project.ref,
    event_message: `${isoMicros(micros).slice(0, 19)}: ${message}`,
    metadata: { host: `rest-${project.ref}`, level: isDown ? 'error' : 'info' },
  };
};

export const makePoolerEvent: EventMaker = ({ project, incident }, random) => {
  const isBusy = incident?.area === 'rest' && random.chance(0.5);
  return {
    project: project.ref,
    event_message: isBusy ? `LOG no more connections allowed (max_client_conn)` : poolerLine(random),
    metadata: { host: `pooler-${project.ref}`, level: isBusy ? 'error' : 'info' },
  };
};

function poolerLine(random: Random): string {
  const connection = `0x${hex32(random.below(0xffffffff))}: app/api_user@203.0.113.${1 + random.below(254)}`;
  if (random.chance(0.4)) return `LOG C-${connection} login attempt: db=app user=api_user tls=TLSv1.3`;
  if (random.chance(0.5))
    return `LOG C-${connection} closing because: client close request (age=${random.below(900)}s)`;
  return `LOG stats: ${random.below(90)} xacts/s, ${random.below(300)} queries/s, in ${random.below(90_000)} B/s, xact ${random.below(9000)} us`;
}
