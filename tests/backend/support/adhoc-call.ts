/** A call of an ad-hoc text, as the backend sends it. */
import type { QueryCall } from '#backend/service-client/service-client';

export function adhocCall(language: 'sql' | 'lql', text: string): QueryCall {
  return { endpoint: 'logs.all', params: {}, redact: false, adhoc: { language, text } };
}
