/** Lists the saved queries that the token can access, paginated and ordered by name. */
import type { SavedQuery } from '#contract/queries/saved-query';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { readCursor, readLimit, writeCursor } from '../../parsing/page-query';
import { knownParameters } from '../../request/known-parameters';
import type { KeyedHandler } from '../../router';
import { sendJson } from '../../response/send-body';
import { visibleEndpoints } from '../../request/visible-endpoint';

export const listEndpoints: KeyedHandler = async ({ ctx, req, res, principal }) => {
  negotiateFormat(req, ['json']);
  const given = knownParameters({ req, res }, ['limit', 'cursor']);
  const limit = readLimit(given);
  const after = readCursor(given);
  const rest = visibleEndpoints(ctx, principal).filter(({ name }) => after === null || name > after);
  const page = rest.slice(0, limit);
  await sendJson(req, res, {
    result: page.map((definition) => ({ ...summarize(definition), origin: ctx.definitions.originOf(definition) })),
    next_cursor: rest.length > page.length ? writeCursor(page[page.length - 1]!.name) : null,
  });
};

/** All fields except the query text. */
function summarize(definition: SavedQuery): Omit<SavedQuery, 'query'> {
  const { query: _, ...summary } = definition;
  return summary;
}
