/** A real server with its real store, filled with a few requests of two projects in the last hour. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';
import type { SourceSettings } from './plugin-host';

export const PROJECT = 'acornharvestplatform';
const PATHS = ['/rest/v1/orders', '/storage/v1/object/a.png', '/auth/v1/token', '/realtime/v1/websocket'];
const STATUSES = [200, 200, 404, 500];

export interface SampleService {
  readonly service: ServiceProcess;
  readonly place: Place;
  /** Milliseconds since 1970: the time of the newest event. */
  readonly newestMs: number;
  readonly source: SourceSettings;
  ingest(events: readonly object[]): Promise<void>;
  stop(): Promise<void>;
}

/** How many events each project has. */
export const EVENT_COUNT = 120;

/** @param endpoints further saved queries: file name to YAML */
export async function startSampleService(
  env: Readonly<Record<string, string>> = {},
  endpoints: Readonly<Record<string, string>> = {}
): Promise<SampleService> {
  const place = createPlace();
  for (const [file, text] of Object.entries(endpoints)) writeFileSync(path.join(place.endpointsDir, file), text);
  const service = await startService(place, env);
  const ingest = async (events: readonly object[]): Promise<void> => {
    const answer = await fetch(`${service.url}/api/logs?source=edge_requests`, {
      method: 'POST',
      headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/json' },
      body: JSON.stringify({ batch: events }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const newestMs = Date.now() - 10_000;
  await ingest(
    ['other', PROJECT].flatMap((project) =>
      Array.from({ length: EVENT_COUNT }, (_, n) => edgeRequest(project, newestMs - n * 20_000, n))
    )
  );
  return {
    service,
    place,
    newestMs,
    ingest,
    source: { url: service.url, secure: { apiKey: PROCESS_TOKEN } },
    stop: async () => {
      await service.stop();
      place.remove();
    },
  };
}

export function edgeRequest(project: string, atMs: number, n: number): object {
  const route = PATHS[n % PATHS.length]!;
  const status = STATUSES[n % STATUSES.length]!;
  return {
    id: `${project}-${atMs}-${n}`,
    timestamp: new Date(atMs).toISOString(),
    project,
    event_message: `GET | ${status} | ${route}`,
    metadata: {
      request: { method: 'GET', path: route, url: `https://${project}.example.org${route}` },
      response: { status_code: status },
    },
  };
}
