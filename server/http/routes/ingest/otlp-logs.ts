/** Stores log records sent over OTLP/HTTP. */
import { ServiceError } from '#contract/errors';
import { OTLP_NAMES } from '../../../ingest/formats/otlp/log-record';
import { readOtlpJson } from '../../../ingest/formats/otlp/read-json';
import { readOtlpProtobuf } from '../../../ingest/formats/otlp/read-protobuf';
import { describeRefused, type EventFormat, ingestEvents } from '../../ingest/ingest-events';
import { readIngestParameters } from '../../ingest/ingest-parameters';
import { encodeOtlpSuccess, OTLP_TYPES, type OtlpForm, otlpFormOf } from '../../ingest/otlp-response';
import { singleHeader } from '../../parsing/header-values';
import type { KeyedHandler } from '../../router';
import { sendBody } from '../../response/send-body';

const FORMATS: Readonly<Record<OtlpForm, EventFormat>> = {
  protobuf: { names: OTLP_NAMES, isText: false, read: readOtlpProtobuf },
  json: { names: OTLP_NAMES, isText: true, read: readOtlpJson },
};

/** The response uses the media type of the request and ignores `Accept`, as OTLP requires. */
export const otlpLogs: KeyedHandler = async (call) => {
  const { req, res } = call;
  singleHeader(req, 'Content-Type');
  const form = otlpFormOf(req);
  if (form === null)
    throw new ServiceError('media_type_unsupported', 'The body must be OTLP in protobuf, or in JSON in UTF-8.', {
      available: Object.values(OTLP_TYPES),
    });
  const outcome = await ingestEvents(call, FORMATS[form], readIngestParameters(call));
  const message = outcome.rejected === 0 ? null : describeRefused(outcome);
  const bytes = encodeOtlpSuccess(form, outcome.rejected, message);
  await sendBody(req, res, { contentType: OTLP_TYPES[form], bytes });
};
