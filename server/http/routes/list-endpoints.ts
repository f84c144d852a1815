/** Lists the saved queries that the token can access, paginated and ordered by name. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/saved-query';
import { negotiateFormat } from '../parsing/negotiate-format';
import { type NameValue, queryOf, pickOnce } from '../parsing/query-string';
import type { KeyedHandler } from '../router';
import { sendJson } from '../response/send-body';
import { visibleEndpoints } from '../request/visible-endpoint';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

export const listEndpoints: KeyedHandler = async ({ ctx, req, res, principal }) => {
  negotiateFormat(req, ['json']);
  const { limit, after } = readPage(queryOf(req));
  const rest = visibleEndpoints(ctx.definitions, principal).filter(({ name }) => after === null || name > after);
  const page = rest.slice(0, limit);
  const hasMore = rest.length > page.length;
  await sendJson(req, res, {
    result: page.map(summarize),
    next_cursor: hasMore ? Buffer.from(page[page.length - 1]!.name).toString('base64url') : null,
  });
};

/** All fields except the query text. */
function summarize(definition: SavedQuery): Omit<SavedQuery, 'query'> {
  const summary: Partial<SavedQuery> = { ...definition };
  delete summary.query;
  return summary as Omit<SavedQuery, 'query'>;
}

function readPage(entries: readonly NameValue[]): { limit: number; after: string | null } {
  const given = pickOnce(entries, ['limit', 'cursor']);
  const limit = given.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT)
    throw new ServiceError(
      'parameter_invalid',
      `The parameter "limit" must be a whole number from 1 to ${MAX_LIMIT}.`,
      {
        parameter: 'limit',
      }
    );
  const cursor = given.get('cursor');
  return { limit: Number(limit), after: cursor === undefined ? null : readCursor(cursor) };
}

function readCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('utf8');
  if (name !== '' && Buffer.from(name).toString('base64url') === cursor) return name;
  throw new ServiceError('parameter_invalid', 'The parameter "cursor" is not one that this service gave out.', {
    parameter: 'cursor',
  });
}
