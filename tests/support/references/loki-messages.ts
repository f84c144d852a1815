/**
 * Loki's push in protobuf, written by protobufjs from the messages below: another way than the one by which the service
 * reads it. Names and numbers are those of logproto.
 */
import { parse } from 'protobufjs';

const { root } = parse(`
  syntax = "proto3";
  message PushRequest { repeated Stream streams = 1; }
  message Stream { string labels = 1; repeated Entry entries = 2; uint64 hash = 3; }
  message Entry { Timestamp timestamp = 1; string line = 2; repeated Pair structuredMetadata = 3; }
  message Timestamp { int64 seconds = 1; int32 nanos = 2; }
  message Pair { string name = 1; string value = 2; }
`);

export interface Push {
  readonly streams: readonly {
    readonly stream?: Readonly<Record<string, string>>;
    readonly values?: readonly (readonly [nanos: string | number, line: string, metadata?: Record<string, string>])[];
  }[];
}

const NANOS_PER_SECOND = 1_000_000_000n;
const INT64_MAX = 9_223_372_036_854_775_807n;

/** @param push as in the JSON form */
export function encodePush({ streams }: Push): Buffer {
  const type = root.lookupType('PushRequest');
  const message = {
    streams: streams.map(({ stream = {}, values = [] }) => ({
      labels: labelText(stream),
      hash: 7,
      entries: values.map(([nanos, line, metadata = {}]) => ({
        timestamp: timestampOf(BigInt(nanos)),
        line,
        structuredMetadata: Object.entries(metadata).map(([name, value]) => ({ name, value })),
      })),
    })),
  };
  return Buffer.from(type.encode(type.fromObject(message)).finish());
}

interface Message {
  readonly streams?: readonly { readonly entries?: readonly { readonly line?: string }[] }[];
}

/** @returns the lines of all streams of a message */
export function readLines(message: Uint8Array): string[] {
  const { streams = [] } = root.lookupType('PushRequest').decode(message).toJSON() as Message;
  return streams.flatMap(({ entries = [] }) => entries.map(({ line = '' }) => line));
}

/** JSON's escapes are also those of Go. */
function labelText(labels: Readonly<Record<string, string>>): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}=${JSON.stringify(value)}`)
    .join(', ')}}`;
}

function timestampOf(nanos: bigint): { readonly seconds: string; readonly nanos: number } {
  const seconds = nanos / NANOS_PER_SECOND - (nanos % NANOS_PER_SECOND < 0n ? 1n : 0n);
  const bounded = seconds > INT64_MAX ? INT64_MAX : seconds;
  return { seconds: String(bounded), nanos: Number(nanos - seconds * NANOS_PER_SECOND) };
}
