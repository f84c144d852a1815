import { useRef } from 'react';
import { randomKey } from '../api/random-key';

interface RequestKey {
  /** The same for a request that is repeated: when its answer was lost, the service gives it again. */
  readonly keyOf: (asked: object) => string;
  /** The next request is one of its own, also when it asks for the same. */
  readonly forget: () => void;
}

export function useRequestKey(): RequestKey {
  const last = useRef({ asked: '', key: '' });
  return {
    keyOf: (given) => {
      const asked = JSON.stringify(given);
      if (last.current.asked !== asked) last.current = { asked, key: randomKey() };
      return last.current.key;
    },
    forget: () => {
      last.current = { asked: '', key: '' };
    },
  };
}
