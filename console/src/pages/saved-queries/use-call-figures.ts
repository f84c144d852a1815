/** Calls of the last hour by the id of their saved query. */
import type { CallFigures } from '../../api/shapes';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';

/** Null: the token may not see them, since it sees one tenant only; or they are not loaded. */
export type FiguresById = ReadonlyMap<string, CallFigures> | null;

export function useCallFigures(): FiguresById {
  const { api, own } = useSession();
  const isConfined = own.tenant !== null || own.fixed_parameters.length > 0;
  const { value } = useLoaded('calls', async (signal) => {
    if (isConfined) return null;
    const figures = await api.result<readonly CallFigures[]>('/api/calls', { signal });
    return new Map(figures.map((each) => [each.id, each]));
  });
  return value;
}
