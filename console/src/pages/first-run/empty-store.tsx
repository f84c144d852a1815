/** The first steps, while the store is empty and the token may know that. */
import { type ReactNode, useState } from 'react';
import { isConfined } from '../../api/is-confined';
import type { ListedSource } from '../../api/shapes';
import { LazyPart, lazyComponent } from '../../app/lazy-part';
import { useSession } from '../../app/session';
import { useAgain } from '../../app/use-again';
import { useLoaded } from '../../app/use-loaded';

const FirstSteps = lazyComponent(async () => (await import('../pages')).FirstSteps);

export function EmptyStore(): ReactNode {
  const { api, own } = useSession();
  const [isLoadingSample, setLoadingSample] = useState(false);
  const { value: sources, again } = useLoaded('sources', async (signal) =>
    isConfined(own) ? null : api.result<readonly ListedSource[]>('/api/sources', { signal })
  );
  const isEmpty = sources !== null && sources.length > 0 && sources.every(({ events }) => events === 0);
  // The service reads these figures every five seconds at most, and a shipper may send the first event at any time.
  useAgain(isEmpty && !isLoadingSample ? again : null, 3_000);
  if (sources === null || (!isEmpty && !isLoadingSample)) return null;
  return (
    <LazyPart>
      <FirstSteps sources={sources} onLoading={setLoadingSample} onStored={again} />
    </LazyPart>
  );
}
