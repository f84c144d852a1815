import { useEffect, useState } from 'react';
import type { ResourceError } from '#contract/plugin/resources';
import { resourceFailure } from '../api/resource-failure';

export interface Answer<T> {
  readonly value?: T;
  readonly failure?: ResourceError;
  readonly isLoading: boolean;
}

/**
 * Result of the latest request; results of earlier requests are discarded.
 *
 * @param ask undefined: no request
 * @param key a new value repeats the request
 */
export function useAnswer<T>(ask: (() => Promise<T>) | undefined, key: string): Answer<T> {
  const [answered, setAnswered] = useState<{
    readonly key: string;
    readonly value?: T;
    readonly failure?: ResourceError;
  }>();
  const isAsked = ask !== undefined;
  useEffect(() => {
    let isCurrent = true;
    ask?.().then(
      (value) => isCurrent && setAnswered({ key, value }),
      (thrown: unknown) => isCurrent && setAnswered({ key, failure: resourceFailure(thrown) })
    );
    return () => {
      isCurrent = false;
    };
    // `ask` is a new function on each render; `key` identifies the request.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, isAsked]);
  if (!isAsked) return { isLoading: false };
  if (answered?.key !== key) return { isLoading: true };
  return { value: answered.value, failure: answered.failure, isLoading: false };
}
