/** Texts of saved queries, several at a time. */
import { ManagementError } from '../../remote/management-client';
import type { ListedQuery } from './answers';
import type { RemoteQueries } from './remote-queries';
import { inParallel } from './in-parallel';

/** A saved query of origin `api` with its text, byte for byte as it was sent. */
export interface StoredQuery extends ListedQuery {
  readonly text: string;
}

/** @param listed saved queries of origin `api` */
export function readTexts(remote: RemoteQueries, listed: readonly ListedQuery[]): Promise<readonly StoredQuery[]> {
  return inParallel(listed, async (query) => {
    const { yaml } = await remote.revision(query.id, query.revision);
    if (yaml !== null) return { ...query, text: yaml };
    throw new ManagementError(`The revision ${query.revision} of "${query.name}" has no text. Try again.`);
  });
}
