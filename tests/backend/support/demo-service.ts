/**
 * A real server with its real store, filled with the demo's events: the last hour in full, and some of each of the last
 * seven days.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LANES, minuteEvents } from '#server/cli/sample-data/live-traffic';
import type { SourceEvent } from '#server/cli/sample-data/sample-logs';
import { createPlace, PROCESS_TOKEN, type ServiceProcess, startService } from '../../support/servers/spawned';
import type { SourceSettings } from './plugin-host';

const MINUTES_IN_FULL = 65;
const MINUTES_OF_WEEK = 7 * 24 * 60;
/** Distance in minutes between the earlier minutes that are sent. */
const STEP_MINUTES = 47;
const BATCH_EVENTS = 1000;

export interface DemoService {
  readonly service: ServiceProcess;
  readonly source: SourceSettings;
  stop(): Promise<void>;
}

export async function startDemoService(): Promise<DemoService> {
  const place = createPlace();
  // The tests ask for rows, not for speed.
  const logsAll = path.join(place.endpointsDir, 'logs.all.yaml');
  writeFileSync(logsAll, `timeout_ms: 60000\n${readFileSync(logsAll, 'utf8')}`);
  const service = await startService(place);
  const nowMinute = Math.floor(Date.now() / 60_000);
  const minutes: number[] = [];
  for (let ago = MINUTES_OF_WEEK - 1; ago > MINUTES_IN_FULL; ago -= STEP_MINUTES) minutes.push(nowMinute - ago);
  for (let ago = MINUTES_IN_FULL; ago >= 0; ago--) minutes.push(nowMinute - ago);
  await send(service, minutes.flatMap(wholeMinute));
  return {
    service,
    source: { url: service.url, secure: { apiKey: PROCESS_TOKEN } },
    stop: async () => {
      await service.stop();
      place.remove();
    },
  };
}

function wholeMinute(minute: number): SourceEvent[] {
  return Array.from({ length: LANES }, (_, lane) => minuteEvents(minute, lane)).flat();
}

async function send(service: ServiceProcess, events: readonly SourceEvent[]): Promise<void> {
  const bySource = new Map<string, object[]>();
  for (const { source, event } of events) {
    const some = bySource.get(source) ?? [];
    some.push(event);
    bySource.set(source, some);
  }
  for (const [source, all] of bySource)
    for (let at = 0; at < all.length; at += BATCH_EVENTS) {
      const answer = await fetch(`${service.url}/api/logs?source=${source}`, {
        method: 'POST',
        headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/json' },
        body: JSON.stringify({ batch: all.slice(at, at + BATCH_EVENTS) }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    }
}
