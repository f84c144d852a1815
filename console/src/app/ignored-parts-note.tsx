/** Says which parts of the address the page ignores: a link with a misspelt part would show something else. */
import type { ReactNode } from 'react';
import { ignoredParts, type ReadParts } from './ignored-parts';
import { useSearch } from './use-search';
import { ValueText } from '../results/values/value-text';

export function IgnoredPartsNote(parts: ReadParts): ReactNode {
  const ignored = ignoredParts(useSearch(), parts);
  if (ignored.length === 0) return null;
  return (
    <p className="warning" role="alert">
      Ignored parts of the address: <ValueText text={ignored.join(', ')} />.
    </p>
  );
}
