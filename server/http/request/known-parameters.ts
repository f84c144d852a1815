/** Parameters of a route's own: others are ignored, and named in a header of the response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pickOnce, queryOf } from '../parsing/query-string';
import { noteIgnored } from '../response/ignored-parameters';

/** @throws ServiceError `parameter_duplicate`, `encoding_invalid` */
export function knownParameters(
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  names: readonly string[]
): ReadonlyMap<string, string> {
  const entries = queryOf(req);
  noteIgnored(
    res,
    entries.map(([name]) => name).filter((name) => !names.includes(name))
  );
  return pickOnce(entries, names);
}
