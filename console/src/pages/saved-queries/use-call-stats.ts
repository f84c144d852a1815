/** Calls of the last hour by the id of their saved query. */
import type { CallStats } from '../../api/shapes';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';

/** Null: the token may not see them, since it sees one tenant only; or they are not loaded. */
export type StatsById = ReadonlyMap<string, CallStats> | null;

export function useCallStats(): StatsById {
  const { api, own } = useSession();
  const isConfined = own.tenant !== null || own.fixed_parameters.length > 0;
  const { value } = useLoaded('calls', async (signal) => {
    if (isConfined) return null;
    const stats = await api.result<readonly CallStats[]>('/api/calls', { signal });
    return new Map(stats.map((each) => [each.id, each]));
  });
  return value;
}
