/** Edge request logs: one event per HTTP call that reached a project. */
import type { ApiCall } from './api-calls';
import type { Agent, Place } from '../scenario/callers';
import { weighted, type Random } from '../random';
import { rounded, type CallFacts, type EventBody } from '../sample-event';

const pickProtocol = weighted([
  ['HTTP/2', 62],
  ['HTTP/3', 26],
  ['HTTP/1.1', 12],
]);

export function edgeLine(facts: CallFacts, random: Random): EventBody {
  const { call, moment, place, agent, address, ray } = facts;
  const url = `https://${moment.project.host}${call.path}${call.search}`;
  return {
    project: moment.project.ref,
    event_message: `${call.method} | ${call.status} | ${address} | ${ray} | ${url}`,
    metadata: {
      request: {
        method: call.method,
        host: moment.project.host,
        path: call.path,
        ...(call.search === '' ? {} : { search: call.search }),
        protocol: 'https:',
        url,
        headers: requestHeaders(facts),
        cf: edgeFacts(place, agent, random),
      },
      response: {
        status_code: call.status,
        origin_time: Math.round(call.durationMs),
        headers: responseHeaders(facts, random),
      },
    },
  };
}

function requestHeaders({ call, agent, place, address, ray }: CallFacts): object {
  return {
    accept: call.area === 'storage' ? 'image/avif,image/webp,*/*' : '*/*',
    user_agent: agent.text,
    cf_connecting_ip: address,
    cf_ipcountry: place.country,
    cf_ray: ray,
    x_real_ip: address,
    ...(agent.library === undefined ? {} : { x_client_info: agent.library }),
    ...(call.method === 'POST' || call.method === 'PATCH' ? { content_type: 'application/json' } : {}),
  };
}

function edgeFacts(place: Place, agent: Agent, random: Random): object {
  return {
    asn: place.asn,
    asOrganization: place.asOrganization,
    botManagement: {
      score: agent.isBot ? 1 + random.below(29) : 60 + random.below(40),
      verifiedBot: agent.isBot && random.chance(0.4),
      staticResource: false,
    },
    city: place.city,
    clientTcpRtt: Math.round(random.skewed(28)),
    colo: place.colo,
    continent: place.continent,
    country: place.country,
    httpProtocol: pickProtocol(random),
    ...(place.isEuCountry ? { isEUCountry: '1' } : {}),
    latitude: String(place.latitude),
    longitude: String(place.longitude),
    timezone: place.timezone,
    tlsVersion: 'TLSv1.3',
  };
}

function responseHeaders({ call, ray, requestId }: CallFacts, random: Random): object {
  return {
    cf_cache_status: cacheStatus(call),
    cf_ray: `${ray}-EDGE`,
    content_length: call.status === 204 || call.status === 304 ? 0 : Math.round(random.skewed(1900)),
    content_type: call.area === 'storage' && call.status < 300 ? 'image/jpeg' : 'application/json; charset=utf-8',
    ...(call.isCached || call.area === 'other' ? {} : { sb_request_id: requestId }),
    ...(call.area === 'rest' ? { x_kong_upstream_latency: rounded(call.durationMs * 0.8) } : {}),
  };
}

function cacheStatus({ area, isCached }: ApiCall): string {
  if (isCached) return 'HIT';
  return area === 'storage' ? 'MISS' : 'DYNAMIC';
}
