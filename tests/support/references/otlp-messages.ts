/**
 * OTLP in protobuf, written by protobufjs from the messages below: another way than the one by which the service reads
 * it. Names and numbers are those of opentelemetry-proto 1.x.
 */
import { parse, type Type } from 'protobufjs';

const PROTO = `
  syntax = "proto3";
  message AnyValue { oneof value {
    string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4;
    ArrayValue arrayValue = 5; KeyValueList kvlistValue = 6; bytes bytesValue = 7; } }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; uint32 droppedAttributesCount = 2; }
  message InstrumentationScope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
  message LogRecord {
    fixed64 timeUnixNano = 1; int32 severityNumber = 2; string severityText = 3; AnyValue body = 5;
    repeated KeyValue attributes = 6; uint32 droppedAttributesCount = 7; fixed32 flags = 8;
    bytes traceId = 9; bytes spanId = 10; fixed64 observedTimeUnixNano = 11; string eventName = 12; }
  message ScopeLogs { InstrumentationScope scope = 1; repeated LogRecord logRecords = 2; string schemaUrl = 3; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scopeLogs = 2; string schemaUrl = 3; }
  message ExportLogsServiceRequest { repeated ResourceLogs resourceLogs = 1; }
  message ExportLogsPartialSuccess { int64 rejectedLogRecords = 1; string errorMessage = 2; }
  message ExportLogsServiceResponse { ExportLogsPartialSuccess partialSuccess = 1; }
  message Status { int32 code = 1; string message = 2; }
`;

const { root } = parse(PROTO);

// Messages are looked into freely: a wrong shape fails the expectation.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a message of any shape, valid or not
type Message = any;

function typeOf(name: string): Type {
  return root.lookupType(name);
}

/** @param request as in OTLP-JSON: ids in hexadecimal */
export function encodeRequest(request: Message): Buffer {
  const type = typeOf('ExportLogsServiceRequest');
  return Buffer.from(type.encode(type.fromObject(withIdBytes(request))).finish());
}

export function decodeRequest(bytes: Uint8Array): Message {
  const type = typeOf('ExportLogsServiceRequest');
  return type.toObject(type.decode(bytes), { longs: String });
}

export function decodeResponse(bytes: Uint8Array): Message {
  const type = typeOf('ExportLogsServiceResponse');
  return type.toObject(type.decode(bytes), { longs: String });
}

export function decodeStatus(bytes: Uint8Array): { readonly code: number; readonly message: string } {
  const type = typeOf('Status');
  return type.toObject(type.decode(bytes)) as { code: number; message: string };
}

function withIdBytes(value: Message): Message {
  if (Array.isArray(value)) return value.map(withIdBytes);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      (key === 'traceId' || key === 'spanId') && typeof inner === 'string'
        ? Buffer.from(inner, 'hex')
        : withIdBytes(inner),
    ])
  );
}
