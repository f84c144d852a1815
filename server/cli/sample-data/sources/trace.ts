/** Log lines of a call in all sources that it passes, and lines that are independent of calls. */
import { makeApiCall, makeScheduledCall, type ApiCall } from './api-calls';
import { pickAddress, pickAgent, pickBot, pickPlace, SCHEDULER, type Agent } from '../scenario/callers';
import { databaseLine, databaseLineOfCall } from './database';
import { edgeLine } from './edge-requests';
import { hex32 } from '../event-id';
import { functionLines } from './functions';
import { weighted, type Random } from '../random';
import type { CallFacts, EventBody, SampleLine, SampleSource } from '../sample-event';
import {
  authLine,
  gatewayLine,
  gatewayLineOfCall,
  poolerLine,
  poolerLineOfCall,
  realtimeLine,
  realtimeLineOfCall,
  storageLine,
} from './services';
import type { Moment } from '../scenario/timeline';

/** All lines of a client call, that of the edge first. */
export function traceOfCall(moment: Moment, random: Random): SampleLine[] {
  return linesOf(makeApiCall(moment, random), moment, random);
}

/** All lines of a scheduled call. */
export function traceOfScheduled(
  area: Parameters<typeof makeScheduledCall>[0],
  moment: Moment,
  random: Random
): SampleLine[] {
  return linesOf(makeScheduledCall(area, moment, random), moment, random);
}

const ROUTINES = {
  database: databaseLine,
  realtime_service: realtimeLine,
  rest_gateway: gatewayLine,
  connection_pooler: poolerLine,
} as const satisfies Partial<Record<SampleSource, (moment: Moment, random: Random) => EventBody>>;

export type RoutineSource = keyof typeof ROUTINES;
export const ROUTINE_SOURCES = Object.keys(ROUTINES) as RoutineSource[];

const pickRoutineSource = weighted<RoutineSource>([
  ['database', 45],
  ['realtime_service', 15],
  ['rest_gateway', 15],
  ['connection_pooler', 25],
]);

/** A line that is independent of calls. */
export function routineLine(moment: Moment, random: Random, source = pickRoutineSource(random)): SampleLine {
  return { source, micros: moment.micros, body: ROUTINES[source](moment, random) };
}

function linesOf(call: ApiCall, moment: Moment, random: Random): SampleLine[] {
  const facts = factsOf(call, moment, random);
  const lines: SampleLine[] = [];
  if (call.caller !== 'inside')
    lines.push({ source: 'edge_requests', micros: moment.micros, body: edgeLine(facts, random) });
  // Services write their line when they are done, while the call is still running.
  const add = (source: SampleSource, share: number, body: EventBody | undefined): void => {
    if (body) lines.push({ source, micros: moment.micros + Math.round(call.durationMs * 1000 * share), body });
  };
  if (call.isCached || call.area === 'other') return lines;
  switch (call.area) {
    case 'rest':
      add('rest_gateway', 0.9, gatewayLineOfCall(facts));
      break;
    case 'auth':
      add('auth_service', 0.9, authLine(facts, random));
      break;
    case 'storage':
      add('storage_service', 0.9, storageLine(facts, random));
      break;
    case 'realtime':
      add('realtime_service', 0.9, realtimeLineOfCall(facts, random));
      break;
    case 'functions': {
      const { relay, runtime } = functionLines(facts, call.called ?? moment.project.functions[0]!, random);
      runtime.forEach((body, place) => add('function_events', 0.2 + place * 0.2, body));
      add('function_relay', 0.95, relay);
    }
  }
  if (readsDatabase(call, random)) {
    add('database', 0.7, databaseLineOfCall(facts, random));
    add('connection_pooler', 0.1, poolerLineOfCall(facts, random));
  }
  return lines;
}

function factsOf(call: ApiCall, moment: Moment, random: Random): CallFacts {
  const hex = (): string => hex32(random.below(0xffffffff));
  return {
    moment,
    call,
    // All requests of an attack come from one network.
    address: call.caller === 'attacker' ? `198.51.100.${200 + random.below(8)}` : pickAddress(random),
    agent: agentOf(call, random),
    place: pickPlace(random),
    ray: hex() + hex(),
    requestId: hex() + hex(),
  };
}

function agentOf({ area, caller }: ApiCall, random: Random): Agent {
  if (caller === 'scheduler') return SCHEDULER;
  const isBot = caller === 'attacker' || area === 'other' || random.chance(0.02);
  return isBot ? pickBot(random) : pickAgent(random);
}

/**
 * Whether the call reads the database: always for REST, sometimes for authentication and storage, otherwise only in an
 * incident of the database or the pooler.
 */
function readsDatabase({ area, cause }: ApiCall, random: Random): boolean {
  if (cause?.kind === 'database' || cause?.kind === 'pooler') return true;
  if (area === 'rest') return true;
  return (area === 'auth' || area === 'storage') && random.chance(0.2);
}
