/** What else a person can do with a saved query, as far as the token may. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DescribedQuery } from '../../api/shapes';
import { editLink, historyLink, NEW_QUERY, withState } from '../../app/links';
import { useSession } from '../../app/session';

export function QueryActions({ query: { name, origin } }: { readonly query: DescribedQuery }): ReactNode {
  const { may } = useSession();
  const mayWrite = may('endpoints:write');
  const links = [
    { label: 'Edit', to: editLink(name), isShown: mayWrite && origin === 'api' },
    { label: 'History', to: historyLink(name), isShown: origin === 'api' },
    { label: 'Copy under another name', to: withState(NEW_QUERY, { copy: name }), isShown: mayWrite },
  ];
  return (
    <p className="actions">
      {links.map(({ label, to, isShown }) =>
        isShown ? (
          <Link key={label} href={to}>
            {label}
          </Link>
        ) : null
      )}
    </p>
  );
}
