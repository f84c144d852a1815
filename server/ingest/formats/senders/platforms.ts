/** Log drains of platforms. Names of fields are those of their documents. */
import type { JsonObject } from '../../../common/json/json-tree';
import type { SentEvent } from '../events/sent-event';
import { fieldsOf, joinTexts, jsonText, textAt, timeAt } from './sender-event';

const TIMESTAMP = ['timestamp'];

/** @see https://vercel.com/docs/drains/reference/logs */
export function readVercel(object: JsonObject): SentEvent {
  const time = timeAt(object, TIMESTAMP);
  const id = textAt(object, 'id');
  return {
    id,
    nanos: null,
    time,
    message: textAt(object, 'message') ?? joinTexts(object, VERCEL_MESSAGE),
    fields: fieldsOf(object, [...(id === null ? [] : ['id']), ...(time === undefined ? [] : TIMESTAMP)]),
    source: null,
  };
}

const VERCEL_MESSAGE = ['source', 'proxy.method', 'proxy.statusCode', 'proxy.host', 'proxy.path', 'proxy.clientIp'];

/** @see https://docs.netlify.com/manage/monitoring/log-drains */
export function readNetlify(object: JsonObject): SentEvent {
  const time = timeAt(object, TIMESTAMP);
  return {
    id: null,
    nanos: null,
    time,
    message: textAt(object, 'message') ?? joinTexts(object, NETLIFY_MESSAGE) ?? jsonText(object),
    fields: fieldsOf(object, time === undefined ? [] : TIMESTAMP),
    source: null,
  };
}

const NETLIFY_MESSAGE = ['log_type', 'method', 'status_code', 'client_ip', 'request_id', 'url', 'user_agent'];

/**
 * Data sets name their time differently; zones and Workers have no message.
 * @see https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/
 */
export function readCloudflare(object: JsonObject): SentEvent {
  const time = timeAt(object, CLOUDFLARE_TIMES);
  return {
    id: null,
    nanos: null,
    time,
    message:
      textAt(object, 'event_message') ??
      textAt(object, 'message') ??
      textAt(object, 'log_entry') ??
      (textAt(object, 'ClientRequestMethod') !== null ? joinTexts(object, ZONE_MESSAGE) : null) ??
      (textAt(object, 'ScriptName') !== null ? joinTexts(object, WORKER_MESSAGE) : null) ??
      jsonText(object),
    fields: fieldsOf(object, time !== undefined && time === object.members.get('timestamp') ? TIMESTAMP : []),
    source: null,
  };
}

const CLOUDFLARE_TIMES = [
  'timestamp',
  'EdgeStartTimestamp',
  'EventTimestampMs',
  'Datetime',
  'Timestamp',
  'When',
  'ActionTimestamp',
  'CreatedAt',
  'SessionStartTime',
];
const ZONE_MESSAGE = [
  'ClientRequestMethod',
  'EdgeResponseStatus',
  'ClientIP',
  'RayID',
  'ClientRequestHost',
  'ClientRequestURI',
  'ClientRequestUserAgent',
];
const WORKER_MESSAGE = ['ScriptName', 'Outcome', 'Event.Request.Method', 'Event.Request.URL'];
