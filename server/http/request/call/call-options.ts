/** Response options of a call, given as headers. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { TimestampStyle } from '#contract/queries/query';
import { singleHeader, switchHeader } from '../../parsing/header-values';

export interface CallOptions {
  /** True requests redaction. False keeps the saved query's setting: a caller cannot switch redaction off. */
  readonly redact: boolean;
  readonly meta: boolean;
  readonly timestamps: TimestampStyle;
}

/** @throws ServiceError `header_invalid` */
export function readCallOptions(req: IncomingMessage): CallOptions {
  return { redact: readRedact(req), meta: switchHeader(req, 'SVC-ENDPOINT-META'), timestamps: readTimestamps(req) };
}

const REDACT = 'SVC-ENDPOINT-REDACT-PII';
/** Header name sent by clients of an older hosted service. */
const REDACT_ALIAS = 'LF-ENDPOINT-REDACT-PII';

function readRedact(req: IncomingMessage): boolean {
  const named = switchHeader(req, REDACT);
  const alias = switchHeader(req, REDACT_ALIAS);
  const bothGiven = singleHeader(req, REDACT) !== undefined && singleHeader(req, REDACT_ALIAS) !== undefined;
  if (bothGiven && named !== alias)
    throw new ServiceError('header_invalid', `${REDACT} and ${REDACT_ALIAS} contradict each other.`, {
      header: REDACT_ALIAS,
    });
  return named || alias;
}

function readTimestamps(req: IncomingMessage): TimestampStyle {
  const value = singleHeader(req, 'SVC-ENDPOINT-TIMESTAMPS')?.trim().toLowerCase();
  if (value === undefined) return 'native';
  if (value === 'rfc3339') return 'rfc3339';
  throw new ServiceError('header_invalid', 'The header SVC-ENDPOINT-TIMESTAMPS must be "rfc3339".', {
    header: 'SVC-ENDPOINT-TIMESTAMPS',
    allowed: ['rfc3339'],
  });
}
