/** Answers of Splunk's HTTP Event Collector: a text and a number, by which senders know what happened. */
import type { ErrorCode, ErrorDetails } from '#contract/errors';

export interface CollectorAnswer {
  readonly text: string;
  readonly code: number;
}

/**
 * @see https://help.splunk.com/en/splunk-enterprise/get-data-in/collect-http-event-data/troubleshoot-http-event-collector
 */
export const COLLECTOR_ANSWERS = {
  success: { text: 'Success', code: 0 },
  tokenMissing: { text: 'Token is required', code: 2 },
  authorizationInvalid: { text: 'Invalid authorization', code: 3 },
  tokenInvalid: { text: 'Invalid token', code: 4 },
  noData: { text: 'No data', code: 5 },
  formatInvalid: { text: 'Invalid data format', code: 6 },
  indexIncorrect: { text: 'Incorrect index', code: 7 },
  internal: { text: 'Internal server error', code: 8 },
  busy: { text: 'Server is busy', code: 9 },
  eventMissing: { text: 'Event field is required', code: 12 },
  eventBlank: { text: 'Event field cannot be blank', code: 13 },
  ackDisabled: { text: 'ACK is disabled', code: 14 },
  tokenInAddress: { text: 'Query string authorization is not enabled', code: 16 },
  healthy: { text: 'HEC is healthy', code: 17 },
  unhealthy: { text: 'HEC is unhealthy', code: 18 },
  notFound: { text: 'The requested URL was not found on this server.', code: 404 },
} as const satisfies Record<string, CollectorAnswer>;

const BY_CODE: { readonly [C in ErrorCode]?: CollectorAnswer } = {
  token_missing: COLLECTOR_ANSWERS.tokenMissing,
  token_invalid: COLLECTOR_ANSWERS.tokenInvalid,
  header_invalid: COLLECTOR_ANSWERS.authorizationInvalid,
  scope_missing: COLLECTOR_ANSWERS.tokenInvalid,
  tenant_denied: COLLECTOR_ANSWERS.tokenInvalid,
  parameter_locked: COLLECTOR_ANSWERS.tokenInvalid,
  route_not_found: COLLECTOR_ANSWERS.notFound,
  method_not_allowed: COLLECTOR_ANSWERS.notFound,
  rate_limited: COLLECTOR_ANSWERS.busy,
  concurrency_limited: COLLECTOR_ANSWERS.busy,
  overloaded: COLLECTOR_ANSWERS.busy,
  request_timeout: COLLECTOR_ANSWERS.busy,
  body_too_slow: COLLECTOR_ANSWERS.busy,
  draining: COLLECTOR_ANSWERS.busy,
  backend_unavailable: COLLECTOR_ANSWERS.busy,
  query_timeout: COLLECTOR_ANSWERS.busy,
  internal: COLLECTOR_ANSWERS.internal,
  backend_error: COLLECTOR_ANSWERS.internal,
};

/** By `details.reason`: the first refusal of an event, or what is wrong with the request. */
const BY_REASON: Readonly<Record<string, CollectorAnswer>> = {
  empty: COLLECTOR_ANSWERS.noData,
  no_source: COLLECTOR_ANSWERS.indexIncorrect,
  no_event: COLLECTOR_ANSWERS.eventMissing,
  blank_event: COLLECTOR_ANSWERS.eventBlank,
  key_in_url: COLLECTOR_ANSWERS.tokenInAddress,
  ack_disabled: COLLECTOR_ANSWERS.ackDisabled,
};

/** Statuses after which a request is to be sent again, but which senders drop it for, as they do for all of 4xx. */
const DROPPED: readonly number[] = [408, 429];

/**
 * Splunk says 503 where it is busy. Fluent Bit before 408 and 429 were added to its list, and handlers of several
 * languages, send a request again after 5xx alone.
 */
export function collectorStatus(status: number): number {
  return DROPPED.includes(status) ? 503 : status;
}

/** Keys beside our `error`; `details.event` is the place of the first refused event. */
export function collectorFailure(code: ErrorCode, { reason, event }: ErrorDetails): object {
  const byReason = new Map(Object.entries(BY_REASON)).get(reason ?? '');
  const answer = byReason ?? BY_CODE[code] ?? COLLECTOR_ANSWERS.formatInvalid;
  return { ...answer, ...(typeof event === 'number' ? { 'invalid-event-number': event } : {}) };
}
