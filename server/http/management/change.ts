/**
 * What all changes of saved queries and tokens have in common: a rate and a queue of their own, so that they do not
 * delay calls, and the facts that the audit trail keeps of them.
 */
import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { Author, RequestMark } from '#contract/changes/change';
import { groupOf } from '../../admission/tenant-group';
import type { ChangeFacts } from '../../catalog/audit/change-facts';
import type { Principal } from '../../catalog/tokens/principal';
import { tenantOf } from '../../catalog/tokens/tenant-of';
import { singleHeader } from '../parsing/header-values';
import { readIdempotencyKey } from '../parsing/idempotency-key';
import { clientAbortSignal } from '../request/client-abort';
import { requestFacts } from '../request/request-facts';
import { ensureStillValid } from '../request/token/ensure-still-valid';
import type { KeyedCall } from '../router';

const MAX_WAIT_MS = 10_000;
const MAX_MESSAGE_CHARACTERS = 500;
const NOTE_HEADER = 'SVC-ENDPOINT-CHANGE-NOTE';

/**
 * Runs the work when its turn has come.
 * @throws ServiceError `rate_limited`, `overloaded`, `token_invalid`, `tenant_denied`
 */
export async function inTurn<T>(call: KeyedCall, work: () => Promise<T>): Promise<T> {
  const { ctx, res, principal } = call;
  // Any token of a tenant that may make tokens can make hundreds of its own kind.
  const owner = groupOf(principal.tokenId, tenantOf(principal, ctx.definitions));
  ctx.admission.admitChange(owner);
  const release = await ctx.changePermits.acquire({
    owner,
    lane: 'saved',
    waitMs: MAX_WAIT_MS,
    signal: clientAbortSignal(res),
  });
  return ensureStillValid(call).then(work).finally(release);
}

/**
 * @param message note in the body; the header is read without it
 * @throws ServiceError `header_invalid`, `body_invalid`
 */
export function changeFacts({ ctx, req, principal }: KeyedCall, message: string | undefined): ChangeFacts {
  return {
    by: authorOf(principal),
    message: checkedMessage(message, 'body_invalid') ?? checkedMessage(noteHeader(req), 'header_invalid') ?? null,
    requestId: requestFacts(req).id,
    now: ctx.clock.now(),
  };
}

export function authorOf({ tokenId, policy }: Principal): Author {
  return { token_id: tokenId, token_name: policy.name };
}

function checkedMessage(message: string | undefined, code: 'body_invalid' | 'header_invalid'): string | undefined {
  if (message === undefined || (message.length <= MAX_MESSAGE_CHARACTERS && !/[\p{Cc}\p{Surrogate}]/u.test(message)))
    return message?.trim() || undefined;
  throw new ServiceError(
    code,
    `The note of a change has at most ${MAX_MESSAGE_CHARACTERS} characters, no control characters and no halves of surrogate pairs.`
  );
}

/** Header values arrive as one character for each byte. */
function noteHeader(req: IncomingMessage): string | undefined {
  const value = singleHeader(req, NOTE_HEADER);
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new ServiceError('header_invalid', `The header ${NOTE_HEADER} is not valid UTF-8.`, { header: NOTE_HEADER });
}

/**
 * @param requested content of the request, as JSON
 * @returns null without an `Idempotency-Key`
 * @throws ServiceError `header_invalid`
 */
export function readRequestMark(
  { req, path, principal }: KeyedCall,
  requested: unknown,
  now: Date
): RequestMark | null {
  const key = readIdempotencyKey(req);
  if (key === null) return null;
  return {
    key: digestOf([principal.tokenId, key]),
    body: digestOf([requestFacts(req).route, path, requested]),
    time: now.toISOString(),
  };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
