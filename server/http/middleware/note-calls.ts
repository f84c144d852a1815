/** Counts each call of a saved query when its response has ended. */
import type { Activity } from '../../monitoring/activity/activity';
import type { EndedListener } from './observe-responses';

export function noteCalls(activity: Activity): EndedListener {
  return ({ res, facts, durationMs }) => {
    const { call, failure, id, tokenId } = facts;
    if (call === undefined) return;
    // A failure of an agent's call is the result of a tool, in a response with status 200.
    const status = res.headersSent ? (failure?.status ?? res.statusCode) : null;
    activity.addCall({ ...call, durationMs, status, requestId: id, tokenId: tokenId ?? '' });
  };
}
