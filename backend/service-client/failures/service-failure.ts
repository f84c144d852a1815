/** Converts error responses of the service to PluginErrors, keeping message, position, hint and request id. */
import { z } from 'zod';
import { asSentence } from '#contract/as-sentence';
import { ERROR_CODES, type ErrorCode } from '#contract/errors';
import { isKeyOf } from '#contract/records';
import { PluginError } from './plugin-error';

const errorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z
      .looseObject({
        reason: z.string().optional(),
        hint: z.string().optional(),
        position: z.object({ line: z.number(), column: z.number() }).optional(),
        request_id: z.string().optional(),
        scope: z.string().optional(),
        problems: z.array(z.object({ reason: z.string() })).optional(),
      })
      .default({}),
  }),
});

export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  readonly host: string;
  readonly requestId?: string;
  readonly retryAfter?: string;
  /** Where a server redirects to. */
  readonly location?: string;
  /** Id or name of the called saved query. */
  readonly endpoint?: string;
}

export function serviceFailure(answer: FailedAnswer): PluginError {
  const error = parseBody(answer.body);
  if (!error) return notTheService(answer);
  const code = isKeyOf(ERROR_CODES, error.code) ? error.code : 'backend_error';
  const { reason, position, request_id, problems = [] } = error.details;
  const hint = error.details.hint ?? (problems.length > 0 ? problems.map((each) => each.reason).join('; ') : undefined);
  const retryAfterSeconds = readRetryAfter(answer.retryAfter);
  return new PluginError(code, sentenceOf(code, error.message, answer, retryAfterSeconds), {
    status: answer.status,
    reason,
    hint,
    position,
    requestId: request_id ?? answer.requestId,
    retryAfterSeconds,
  });
}

function sentenceOf(code: ErrorCode, message: string, answer: FailedAnswer, retryAfter: number | undefined): string {
  switch (code) {
    case 'token_missing':
      return 'The service asks for an access token; set it in the settings of the data source.';
    case 'token_invalid':
      return 'The service refuses the access token of the data source: it is unknown, has expired or was revoked.';
    case 'endpoint_not_found':
      return `The service has no endpoint "${answer.endpoint ?? ''}" that the access token may see; it may have been deleted or renamed.`;
    case 'rate_limited':
    case 'concurrency_limited':
    case 'overloaded': {
      const when = retryAfter === undefined ? '' : ` The service takes it again in ${retryAfter} s.`;
      return `${message}${when}`;
    }
    case 'internal':
      return 'The service failed and has logged why under the request id.';
    default:
      return asSentence(message);
  }
}

/** Any web server may answer with this status, but only the service uses its error format. */
function notTheService({ status, host, requestId, location }: FailedAnswer): PluginError {
  if ([502, 503, 504].includes(status))
    return new PluginError(
      'unreachable',
      `A proxy in front of ${host} answers ${status}: the service behind it cannot be reached.`,
      {
        status: 502,
      }
    );
  if (status === 407)
    return new PluginError('unreachable', 'The proxy asks for a login (status 407).', { status: 502 });
  if (status === 401 || status === 403)
    return new PluginError(
      'not_the_service',
      `A server in front of ${host} refuses the request with status ${status}.`,
      {
        status: 502,
        requestId,
        hint: 'its login goes into basic authentication or a custom header of the data source',
      }
    );
  const target = status >= 300 && status < 400 ? targetOf(location) : undefined;
  if (target !== undefined)
    return new PluginError('not_the_service', `The server at ${host} redirects to ${target.name} (status ${status}).`, {
      status: 502,
      requestId,
      hint: target.hint,
    });
  return new PluginError(
    'not_the_service',
    `What answers at ${host} is not the log query service (status ${status}).`,
    {
      status: 502,
      requestId,
      hint: 'check the URL of the data source, path included',
    }
  );
}

/** Without the path, which may have texts of the request. */
function targetOf(location = ''): { readonly name: string; readonly hint: string } | undefined {
  const url = URL.parse(location);
  if (url !== null)
    return /^https?:$/.test(url.protocol)
      ? {
          name: url.origin,
          hint: 'redirects are not followed, because they would get the access token; set the URL of the service itself',
        }
      : undefined;
  if (location === '') return undefined;
  return {
    name: 'another of its pages',
    hint: 'a login page or a proxy answers; set the URL of the service itself, path included, or the login that the proxy asks for',
  };
}

function parseBody(text: string): z.infer<typeof errorBodySchema>['error'] | undefined {
  try {
    const parsed = errorBodySchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.error : undefined;
  } catch {
    return undefined;
  }
}

/** Parses seconds or an HTTP date. */
export function readRetryAfter(value: string | undefined, nowMs = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,6}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
