/** Reports names of parameters that the saved query or the route does not declare. */
import type { ServerResponse } from 'node:http';
import { formatIgnored } from '../request/call/bind-parameters';

export function noteIgnored(res: ServerResponse, names: readonly string[]): void {
  if (names.length > 0) res.setHeader('SVC-ENDPOINT-IGNORED-PARAMETERS', formatIgnored([...new Set(names)]));
}

/** The same for agents, which read no headers. */
export function ignoredNotes(names: readonly string[]): readonly string[] {
  return names.length > 0 ? [`Ignored, since the saved query does not declare them: ${formatIgnored(names)}.`] : [];
}
