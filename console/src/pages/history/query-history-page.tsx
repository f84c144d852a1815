/** History of a saved query. It is deleted here, too. */
import type { ReactNode } from 'react';
import { editLink, historyLink, QUERIES, queryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { DeleteQuery } from './delete-query';
import { HistoryPage } from './history-page';

export function QueryHistoryPage({ name }: { readonly name: string }): ReactNode {
  const { may } = useSession();
  const mayChange = may('endpoints:write');
  return (
    <HistoryPage
      name={name}
      of={{
        kept: 'endpoints',
        noun: 'saved query',
        list: { label: 'Saved queries', link: QUERIES },
        mayRead: may('endpoints:read'),
        readScope: 'endpoints:read',
        mayChange,
        pageLink: queryLink,
        editLink,
        historyLink,
        afterDeletion: 'Calls get 404; restore a revision to bring it back.',
        warningOf: null,
      }}
      below={(newest, again) => mayChange && <DeleteQuery newest={newest} onDeleted={again} />}
    />
  );
}
