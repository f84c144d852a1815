/** Lists the saved queries that the token can access, paginated and ordered by name. */
import type { SavedQuery } from '#contract/saved-query';
import { negotiateFormat } from '../../parsing/negotiate-format';
import type { KeyedHandler } from '../../router';
import { sendJson } from '../../response/send-body';
import { cursorInvalid, readPage } from '../../request/page';
import { visibleEndpoints } from '../../request/visible-endpoint';

export const listEndpoints: KeyedHandler = async ({ ctx, req, res, principal }) => {
  negotiateFormat(req, ['json']);
  const { limit, cursor } = readPage(req, CURSOR);
  const after = cursor === null ? null : readCursor(cursor);
  const rest = visibleEndpoints(ctx, principal).filter(({ name }) => after === null || name > after);
  const page = rest.slice(0, limit);
  const hasMore = rest.length > page.length;
  await sendJson(req, res, {
    result: page.map((definition) => ({ ...summarize(definition), origin: ctx.definitions.originOf(definition) })),
    next_cursor: hasMore ? Buffer.from(page[page.length - 1]!.name).toString('base64url') : null,
  });
};

/** All fields except the query text. */
function summarize(definition: SavedQuery): Omit<SavedQuery, 'query'> {
  const summary: Partial<SavedQuery> = { ...definition };
  delete summary.query;
  return summary as Omit<SavedQuery, 'query'>;
}

const CURSOR = /^[A-Za-z0-9_-]+$/;

function readCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString('utf8');
  if (name !== '' && Buffer.from(name).toString('base64url') === cursor) return name;
  throw cursorInvalid();
}
