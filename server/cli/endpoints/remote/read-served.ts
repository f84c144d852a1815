import type { Served } from '../plan/make-plan';
import { readTexts } from './read-texts';
import type { RemoteQueries } from './remote-queries';

/** Reads all saved queries of a server, with the texts of those that are managed over the API. */
export async function readServed(remote: RemoteQueries): Promise<Served> {
  const queries = await remote.list();
  return {
    stored: await readTexts(
      remote,
      queries.filter(({ origin }) => origin === 'api')
    ),
    elsewhere: queries.filter(({ origin }) => origin === 'file'),
  };
}
