/** History of a source: what each revision changed, and what its restoration does to stored events. */
import type { ReactNode } from 'react';
import { isRecord } from '#contract/records';
import { mayListSources } from '../../../api/is-confined';
import type { ListedSource, RevisionText } from '../../../api/shapes';
import { type DescribedSource, listSources, readSource } from '../../../api/sources';
import { editSourceLink, sourceHistoryLink, sourceLink, SOURCES } from '../../../app/links';
import { useSession } from '../../../app/session';
import { useLoaded } from '../../../app/use-loaded';
import { HistoryPage } from '../../history/history-page';
import { changeWarnings } from '../edit-source/change-warnings';
import { fieldsOfSource, type SourceDefinition } from '../edit-source/source-fields';

export function SourceHistoryPage({ name }: { readonly name: string }): ReactNode {
  const { own, may } = useSession();
  return (
    <HistoryPage
      name={name}
      of={{
        kept: 'sources',
        noun: 'source',
        list: { label: 'Sources', link: SOURCES },
        mayRead: mayListSources(own),
        readScope: 'endpoints:read, without a tenant or another limit',
        mayChange: may('sources:write'),
        pageLink: sourceLink,
        editLink: editSourceLink,
        historyLink: sourceHistoryLink,
        afterDeletion: 'Events of it are refused. Restore a revision: then the events that are stored are read again.',
        warningOf: (revision) => <RestoreWarning name={name} revision={revision} />,
      }}
    />
  );
}

/** Nothing where the source is deleted, or its definition cannot be read: the restoration says what is wrong. */
function RestoreWarning({ name, revision }: { readonly name: string; readonly revision: RevisionText }): ReactNode {
  const { api } = useSession();
  const { value } = useLoaded(`present ${name}`, async (signal) => {
    const [source, all] = await Promise.all([
      readSource(api, name, signal),
      listSources(api, signal).catch((): readonly ListedSource[] => []),
    ]);
    return { source, listed: all.find((each) => each.name === source.name) };
  });
  const definition = definitionIn(revision);
  if (value === null || definition === null) return null;
  const { retention, tenant } = warningsOf(value.source, definition, value.listed);
  return [retention, tenant].map((text) =>
    text === null ? null : (
      <p key={text} className="notice warn">
        {text}
      </p>
    )
  );
}

const warningsOf = (present: DescribedSource, definition: SourceDefinition, listed: ListedSource | undefined) =>
  changeWarnings(present, fieldsOfSource(definition), listed);

/** The definition with defaults for what its text leaves out. */
function definitionIn({ name, definition }: RevisionText): SourceDefinition | null {
  if (!isRecord(definition)) return null;
  return { ...DEFAULTS, name, ...(definition as Partial<SourceDefinition>) };
}

const DEFAULTS: Omit<SourceDefinition, 'name'> = {
  description: '',
  retention_days: 90,
  tenant: null,
  tenant_optional: false,
  columns: {},
  fields: {},
  aliases: [],
};
