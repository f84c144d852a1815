/** Edge request logs: one event per HTTP call that reached a project. */
import { makeApiCall, type ApiCall } from './api-calls';
import { pickAddress, pickAgent, pickBot, pickPlace, type Agent, type Place } from './callers';
import { hex32 } from './event-id';
import { weighted, type Random } from './random';
import { rounded, type EventMaker } from './sample-event';

const pickProtocol = weighted([
  ['HTTP/2', 62],
  ['HTTP/3', 26],
  ['HTTP/1.1', 12],
]);

export const makeEdgeRequest: EventMaker = (moment, random) => {
  const call = makeApiCall(moment, random);
  const place = pickPlace(random);
  const agent = call.area === 'other' || random.chance(0.02) ? pickBot(random) : pickAgent(random);
  const address = pickAddress(random);
  const ray = `${hex32(random.below(0xffffffff))}${hex32(random.below(0xffffffff))}`;
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
        headers: requestHeaders(call, agent, place, address, ray),
        cf: edgeFacts(place, agent, random),
      },
      response: {
        status_code: call.status,
        origin_time: Math.round(call.durationMs),
        headers: responseHeaders(call, ray, random),
      },
    },
  };
};

function requestHeaders(call: ApiCall, agent: Agent, place: Place, address: string, ray: string): object {
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

function responseHeaders(call: ApiCall, ray: string, random: Random): object {
  const isCached = call.area === 'storage' && call.method === 'GET' && random.chance(0.6);
  return {
    cf_cache_status: isCached ? 'HIT' : call.area === 'storage' ? 'MISS' : 'DYNAMIC',
    cf_ray: `${ray}-EDGE`,
    content_length: call.status === 204 || call.status === 304 ? 0 : Math.round(random.skewed(1900)),
    content_type: call.area === 'storage' && call.status < 300 ? 'image/jpeg' : 'application/json; charset=utf-8',
    ...(call.area === 'rest' ? { x_kong_upstream_latency: rounded(call.durationMs * 0.8) } : {}),
  };
}
