/** Number of events in a request. */
import { gunzipSync } from 'node:zlib';
import { decodeRequest } from '../../support/references/otlp-messages';

interface Sent {
  readonly type: string;
  readonly encoding: string | undefined;
  readonly body: Buffer;
}

export function countEvents({ type, encoding, body }: Sent): number {
  const inflated = encoding === 'gzip' ? gunzipSync(body) : body;
  return type.startsWith('application/x-protobuf') ? countRecords(inflated) : countEntries(inflated.toString());
}

interface ResourceLogs {
  readonly scopeLogs?: readonly { readonly logRecords?: readonly unknown[] }[];
}

function countRecords(bytes: Uint8Array): number {
  const { resourceLogs = [] } = decodeRequest(bytes) as { resourceLogs?: readonly ResourceLogs[] };
  return resourceLogs
    .flatMap(({ scopeLogs = [] }) => scopeLogs)
    .reduce((sum, { logRecords = [] }) => sum + logRecords.length, 0);
}

/** An array, or objects by line. */
function countEntries(text: string): number {
  if (text.startsWith('[')) return (JSON.parse(text) as unknown[]).length;
  return text.split('\n').filter((line) => line.trim() !== '').length;
}
