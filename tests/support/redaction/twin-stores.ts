/**
 * Two stores with the same events but for what is to be hidden. Under redaction no query may tell them apart: then none
 * can read or guess what either holds.
 */
import { join } from 'node:path';
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/queries/query';
import type { SavedQuery } from '#contract/queries/saved-query';
import { loadSources } from '#server/catalog/definitions/load-sources';
import type { LogStore } from '#server/stores/store';
import { ingestBatch } from '../stores/ingest-batch';
import { NOW_MICROS } from '../cases/sql/queries';
import { runSavedQuery } from '../cases/run-saved-query';
import { openStoreUnderTest, type OpenStore, type StoreName } from '../stores/current';

/** What one store holds where the other holds something else of the same kind. */
export interface Secrets {
  readonly ip: string;
  readonly other: string;
  readonly six: string;
  readonly mail: string;
  readonly token: string;
  readonly card: string;
}

export const LEFT: Secrets = {
  ip: '203.0.113.7',
  other: '9.9.9.9',
  six: '2001:db8::7',
  mail: 'alice@example.com',
  token: 'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
  card: '4111 1111 1111 1111',
};

/** Other lengths, other order, other equalities. */
export const RIGHT: Secrets = {
  ip: '10.250.199.201',
  other: '10.250.199.201',
  six: 'fe80:0:0:0:0:0:0:1',
  mail: 'z.very-long.name+tag@mail.example.co.uk',
  token: 'xoxb-999999999999-zzzzzzzzzzzzzzzzzzzz',
  card: '378282246310005',
};

export interface TwinStores {
  readonly stores: readonly [LogStore, LogStore];
  close(): Promise<void>;
}

export async function openTwinStores(name?: StoreName): Promise<TwinStores> {
  const [left, right] = [await openSecrets(LEFT, name), await openSecrets(RIGHT, name)] as const;
  return {
    stores: [left.store, right.store],
    close: async () => {
      await left.close();
      await right.close();
    },
  };
}

/** A new store with such events. */
async function openSecrets(secrets: Secrets, name?: StoreName): Promise<OpenStore> {
  const sources = loadSources(join(__dirname, '..', '..', '..', 'sources.yaml'));
  // With two threads of DuckDB, one computes the few rows and the other polls without a pause whether that has ended.
  const opened = await openStoreUnderTest(sources, name, 1);
  const { store } = opened;
  for (const [source, events] of Object.entries(eventsOf(secrets))) {
    const body = Buffer.from(`[${events.join(',')}]`);
    const { rejected, errors } = await store.ingest(ingestBatch({ source, body, nowMicros: NOW_MICROS }));
    if (rejected > 0) throw new Error(JSON.stringify(errors));
  }
  await store.catchUp();
  return opened;
}

/** JSON text of events: texts, lists, lists of records, keys, and text written with escapes. */
function eventsOf({ ip, other, six, mail, token, card }: Secrets): Readonly<Record<string, readonly string[]>> {
  const escaped = [...ip].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');
  const event = (n: number, message: string, metadata: string): string =>
    `{"id":"e${n}","timestamp":"2026-03-01T10:00:0${n}Z","project":"abcd","event_message":${message},"metadata":${metadata}}`;
  const text = JSON.stringify;
  const request = (from: string, extra: string): string =>
    `{"request":{"method":"GET","path":${text(`/u/${mail}`)},"url":${text(`https://x.example.com/?ip=${from}&to=${encodeURIComponent(mail)}`)},` +
    `"headers":{"cf_connecting_ip":${text(from)},"authorization":${text(`Bearer ${token}`)}}},` +
    `"response":{"status_code":200},"ips":[${text(from)},${text(six)},"plain"],` +
    `"hops":[{"ip":${text(from)},"n":1},{"ip":"${escaped}","n":2}],"card":${text(card)},"db":{"db_password":${text(`w ${mail.length}`)},"x-api-key":[${text(mail[0])},"k"],"pinToken":${card.length}00}${extra}}`;
  return {
    edge_requests: [
      event(1, text(`GET from ${ip} by ${mail}`), request(ip, '')),
      event(2, text(`GET from ${other} [${six}]:443 card ${card}`), request(other, `,"seen":{"${ip}":{"n":1}}`)),
      event(
        3,
        text('nothing to hide, v1.2.3 12:34:56'),
        '{"request":{"method":"POST","path":"/plain","url":"https://x.example.com/plain","headers":{"cf_connecting_ip":"none"}},"response":{"status_code":500},"ips":["plain"]}'
      ),
      event(
        4,
        text(`{"ip":"${escaped}","user":{"mail":"${mail}"},"at":"line\\n${ip}"}`),
        request(ip, `,"escaped":"${escaped}"`)
      ),
    ],
    auth_service: [
      `{"id":"a1","timestamp":"2026-03-01T10:00:05Z","project":"abcd","event_message":${text(`login ${mail} from ${six}`)},"metadata":{"level":"info","actor":${text(mail)},"ip":${text(other)}}}`,
      `{"id":"a2","timestamp":"2026-03-01T10:00:06Z","project":"abcd","event_message":"plain","metadata":{"level":"error","actor":"none","ip":${text(ip)}}}`,
    ],
  };
}

/** The whole answer as text, or the whole error. */
export async function answerOf(store: LogStore, definition: SavedQuery, asked: Partial<QueryRequest>): Promise<string> {
  const request = { parameters: { project: 'abcd' }, meta: true, redact: true, nowMicros: NOW_MICROS, ...asked };
  try {
    const { bytes, ...facts } = await runSavedQuery(store, definition, request);
    const { rows, truncated, fields } = facts;
    const body = Buffer.from(bytes)
      .toString('utf8')
      .replace(/"elapsed_ms":[\d.]+/, '');
    return JSON.stringify({ body, rows, truncated, fields });
  } catch (error) {
    if (error instanceof ServiceError) return JSON.stringify(error.toBody());
    throw error;
  }
}
