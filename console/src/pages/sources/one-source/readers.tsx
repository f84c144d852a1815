/** Saved queries because of which a source stays as it is. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { queryLink } from '../../../app/links';

export function Readers({ names }: { readonly names: readonly string[] }): ReactNode {
  if (names.length === 0) return null;
  return (
    <ul className="columns" aria-label="Saved queries that read it">
      {names.map((name) => (
        <li key={name}>
          <Link href={queryLink(name)}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}
