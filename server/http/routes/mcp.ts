/** Saved queries as tools of agents: one message of the Model Context Protocol for each request, without sessions. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import { readJsonBody } from '../bodies/read-json-body';
import { singleHeader } from '../parsing/header-values';
import { clientAbortSignal } from '../request/client-abort';
import { answerMessage } from '../mcp/answer-message';
import { sendBody, sendEmpty } from '../response/send-body';
import type { KeyedHandler } from '../router';

export const mcp: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  ensureOrigin(req, ctx.config.corsOrigins);
  ctx.unreadResponses.ensureRoom(principal.tokenId);
  const message = await readJsonBody(req, res, ctx.config.http);
  // A list of calls would be one request for the rate of the token.
  if (Array.isArray(message))
    throw new ServiceError('body_invalid', 'A request carries one message, not a list of them.', {
      hint: 'send each message in a request of its own',
    });
  const { status, bytes } = await answerMessage(call, message, clientAbortSignal(res));
  ctx.unreadResponses.track(res, principal.tokenId, bytes.length);
  // A notification has no response.
  if (bytes.length === 0) return sendEmpty(res, status);
  await sendBody(req, res, { status, contentType: 'application/json; charset=utf-8', bytes });
};

/** The protocol demands this of servers, since a page of another origin could use the network place of a browser. */
function ensureOrigin(req: IncomingMessage, allowed: readonly string[]): void {
  const origin = singleHeader(req, 'Origin');
  if (origin === undefined || allowed.includes(origin)) return;
  throw new ServiceError('header_invalid', 'Pages of this origin may not call the service.', {
    header: 'Origin',
    hint: 'list the origin in LQE_CORS_ORIGINS',
  });
}
