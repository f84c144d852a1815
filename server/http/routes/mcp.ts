/** Saved queries as tools of agents: one message of the Model Context Protocol for each request, without sessions. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { isRecord } from '#contract/records';
import { readStrictJsonBody } from '../bodies/read-json-body';
import { singleHeader } from '../parsing/header-values';
import { clientAbortSignal } from '../request/client-abort';
import { ensureStillValid } from '../request/token/ensure-still-valid';
import { answerMessage } from '../mcp/answer-message';
import { sendBody, sendEmpty } from '../response/send-body';
import type { KeyedHandler } from '../router';

export const mcp: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  ensureOrigin(req, ctx.config.corsOrigins);
  // Parser and library of the protocol take milliseconds for a message, and hundreds of them may arrive at once.
  const turn = (): Promise<void> => ctx.messageTurns.next(principal.tokenId);
  const message = await readStrictJsonBody(req, res, ctx.config.http, undefined, turn);
  await ensureStillValid(call);
  // A list of calls would be one request for the rate of the token.
  if (!isRecord(message))
    throw new ServiceError('body_invalid', 'A request carries one message, which is a JSON object.', {
      hint: 'send each message in a request of its own',
    });
  ensureFewArguments(message);
  ensureFewValues(message);
  const { status, bytes } = await answerMessage(call, message, clientAbortSignal(res));
  // A notification has no response.
  if (bytes.length === 0) return sendEmpty(res, status);
  await sendBody(req, res, { status, contentType: 'application/json; charset=utf-8', bytes });
};

const MAX_ARGUMENTS = 1000;
/** At any depth, of the arguments and all else. */
const MAX_VALUES = 2000;

/** The protocol's library checks each value several times. */
function ensureFewArguments({ params }: Message): void {
  const given = isRecord(params) && isRecord(params['arguments']) ? params['arguments'] : {};
  const inner = isRecord(given['parameters']) ? given['parameters'] : {};
  if (Object.keys(given).length + Object.keys(inner).length > MAX_ARGUMENTS)
    throw new ServiceError('body_invalid', `A tool takes at most ${MAX_ARGUMENTS} arguments.`, { max: MAX_ARGUMENTS });
}

function ensureFewValues(message: Message): void {
  const open: unknown[] = [message];
  let count = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const values = Object.values(value);
    count += values.length;
    if (count > MAX_VALUES)
      throw new ServiceError('body_invalid', `A message has at most ${MAX_VALUES} values.`, { max: MAX_VALUES });
    for (const inner of values) open.push(inner);
  }
}

type Message = Readonly<Record<string, unknown>>;

/**
 * The protocol demands this of servers, and the status 403, since a page of another origin could use the network place
 * of a browser.
 */
function ensureOrigin(req: IncomingMessage, allowed: readonly string[]): void {
  const origin = singleHeader(req, 'Origin');
  if (origin === undefined || allowed.includes(origin)) return;
  throw new ServiceError('origin_denied', 'Pages of this origin may not call the service.', {
    header: 'Origin',
    hint: 'list the origin in LQE_CORS_ORIGINS',
  });
}
