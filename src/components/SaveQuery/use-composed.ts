import { useEffect, useState } from 'react';
import type { ComposeRequest, ComposeResource } from '#contract/plugin/saving';
import { resourceFailure } from '../../api/resource-failure';
import type { SavingApi } from '../../api/saving-api';
import type { Answer } from '../use-answer';

const WAIT_MS = 400;

/**
 * The definition of the form after a pause in typing. While the present form is checked, `isLoading` is true and the
 * value is that of the form before.
 *
 * @param request undefined: the form has a value that cannot be sent
 */
export function useComposed(saving: SavingApi, request: ComposeRequest | undefined): Answer<ComposeResource> {
  const key = request === undefined ? '' : JSON.stringify(request);
  const [answered, setAnswered] = useState<Omit<Answer<ComposeResource>, 'isLoading'> & { readonly key: string }>();
  useEffect(() => {
    if (key === '') return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      saving.compose(JSON.parse(key) as ComposeRequest).then(
        (value) => isCurrent && setAnswered({ key, value }),
        (thrown: unknown) => isCurrent && setAnswered({ key, failure: resourceFailure(thrown) })
      );
    }, WAIT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [saving, key]);
  if (answered?.key === key) return { ...answered, isLoading: false };
  return { value: answered?.value, isLoading: true };
}
