/** History of a saved query, page by page. */
import type { RevisionsResource } from '#contract/plugin/saving';
import type { ResourceCall } from '../resources/resource-call';

const PAGE = 20;

export function listRevisions({ instance, ctx, argument, query }: ResourceCall): Promise<RevisionsResource> {
  const limit = Math.min(Math.max(Number(query.get('limit') ?? PAGE) || PAGE, 1), PAGE);
  return instance.client.revisions(argument, { limit, cursor: query.get('cursor') }, ctx);
}
