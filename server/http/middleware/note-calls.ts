/** Counts each call of a saved query when its response has ended. */
import type { Activity } from '../../monitoring/activity/activity';
import type { EndedListener } from './observe-responses';

export function noteCalls(activity: Activity): EndedListener {
  return ({ res, facts, durationMs }) => {
    const { call, id, tokenId } = facts;
    if (call === undefined) return;
    const status = res.headersSent ? res.statusCode : null;
    activity.addCall({ ...call, durationMs, status, requestId: id, tokenId: tokenId ?? '' });
  };
}
