/** Number of events in a request. */
import { gunzipSync } from 'node:zlib';
import { decodeSnappy, readSnappyHead } from '#server/http/bodies/snappy';
import { readLines } from '../../support/references/loki-messages';
import { decodeRequest } from '../../support/references/otlp-messages';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly encoding: string | undefined;
  readonly body: Buffer;
}

/** @returns 0 for questions, which have no events */
export function countEvents({ method, path, type, encoding, body }: Sent): number {
  if (method !== 'POST' && method !== 'PUT') return 0;
  const inflated = encoding === 'gzip' ? gunzipSync(body) : body;
  const isProtobuf = type.startsWith('application/x-protobuf');
  if (path.startsWith('/loki/')) return isProtobuf ? readLines(inflateSnappy(body)).length : countLokiLines(inflated);
  if (isProtobuf) return countRecords(inflated);
  const text = inflated.toString();
  if (path.includes('/_bulk')) return countEntries(text) / 2;
  if (path.startsWith('/services/collector')) return countObjects(text);
  return countEntries(text);
}

function inflateSnappy(bytes: Buffer): Buffer {
  const work = decodeSnappy(bytes, readSnappyHead(bytes));
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

interface LokiPush {
  readonly streams: readonly { readonly values: readonly unknown[] }[];
}

function countLokiLines(bytes: Buffer): number {
  return (JSON.parse(bytes.toString()) as LokiPush).streams.reduce((sum, { values }) => sum + values.length, 0);
}

/** Objects one behind the other, without a bracket in their texts. */
function countObjects(text: string): number {
  let depth = 0;
  let count = 0;
  for (const [bracket] of text.matchAll(/[{}]/g)) {
    depth += bracket === '{' ? 1 : -1;
    if (depth === 0) count++;
  }
  return count;
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
