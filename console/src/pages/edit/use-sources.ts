import type { ListedSource } from '../../api/shapes';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';

const NONE: readonly ListedSource[] = [];

/** The sources, which definitions read; none when the token may not list them. */
export function useSources(): readonly ListedSource[] {
  const { api } = useSession();
  const { value } = useLoaded('sources', (signal) =>
    api.result<readonly ListedSource[]>('/api/sources', { signal }).catch(() => NONE)
  );
  return value ?? NONE;
}
