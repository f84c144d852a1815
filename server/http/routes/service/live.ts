/** Liveness: the event loop is running. */
import type { OpenHandler } from '../../router';
import { sendJson } from '../../response/send-body';

export const live: OpenHandler = ({ req, res }) => sendJson(req, res, { status: 'ok' });
