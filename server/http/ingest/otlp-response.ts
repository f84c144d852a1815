/**
 * OTLP/HTTP responses in the media type of the request: `ExportLogsServiceResponse`, or `google.rpc.Status` for an
 * error.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp-response
 */
import type { IncomingMessage } from 'node:http';
import { Writer } from 'protobufjs/minimal';
import type { ServiceError } from '#contract/errors';
import { tagOf, VARINT, BYTES } from '../../ingest/formats/wire-reader';
import { hideTokenTexts } from '../../catalog/tokens/secrets/token-text';
import { parseMediaType } from '../parsing/negotiation/weighted-list';

export type OtlpForm = 'protobuf' | 'json';

export const OTLP_PATH = '/v1/logs';

export const OTLP_TYPES: Readonly<Record<OtlpForm, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** Null for other media types. `application/protobuf` is the registered name of protobuf. */
export function otlpFormOf(req: IncomingMessage): OtlpForm | null {
  const { value, parameters } = parseMediaType(req.headers['content-type'] ?? '');
  const charset = parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') return null;
  if (value === 'application/x-protobuf' || value === 'application/protobuf') return 'protobuf';
  return value === 'application/json' ? 'json' : null;
}

/** @param text describes the rejected records; null when all were stored */
export function encodeOtlpSuccess(form: OtlpForm, rejected: number, text: string | null): Buffer {
  const message = text === null ? null : hideTokenTexts(text);
  if (form === 'json') {
    // Protobuf's JSON mapping encodes int64 as a string.
    const partialSuccess = { rejectedLogRecords: String(rejected), errorMessage: message };
    return Buffer.from(JSON.stringify(message === null ? {} : { partialSuccess }));
  }
  const writer = Writer.create();
  if (message !== null) {
    writer.uint32(tagOf(1, BYTES)).fork();
    writer.uint32(tagOf(1, VARINT)).int64(rejected);
    writer.uint32(tagOf(2, BYTES)).string(message);
    writer.ldelim();
  }
  return Buffer.from(writer.finish());
}

export function encodeOtlpStatus(form: OtlpForm, error: ServiceError, requestId: string): Buffer {
  const code = RPC_CODES[error.status] ?? (error.status < 500 ? RPC.invalidArgument : RPC.internal);
  const { hint } = error.details;
  const message = hideTokenTexts(
    `${error.code}: ${error.sentence}${hint === undefined ? '' : ` Hint: ${hint}.`} (request ${requestId})`
  );
  if (form === 'json') return Buffer.from(JSON.stringify({ code, message }));
  const writer = Writer.create();
  writer.uint32(tagOf(1, VARINT)).int32(code);
  writer.uint32(tagOf(2, BYTES)).string(message);
  return Buffer.from(writer.finish());
}

/** Codes of `google.rpc.Code`. */
const RPC = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
};

const RPC_CODES: Readonly<Record<number, number>> = {
  401: RPC.unauthenticated,
  403: RPC.permissionDenied,
  404: RPC.notFound,
  405: RPC.unimplemented,
  408: RPC.deadlineExceeded,
  413: RPC.resourceExhausted,
  429: RPC.resourceExhausted,
  502: RPC.unavailable,
  503: RPC.unavailable,
  504: RPC.deadlineExceeded,
};
