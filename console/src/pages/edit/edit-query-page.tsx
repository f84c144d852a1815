/** Edits a saved query of the API. One of a file is read only here. */
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { readRevision } from '../../api/revisions';
import type { ApiClient } from '../../api/client';
import type { DescribedQuery } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { editLink, NEW_QUERY, QUERIES, queryLink, withState } from '../../app/links';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { useTitle } from '../../app/use-title';
import { type Draft, editDraftKey, readDraft } from '../../definition/drafts';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import { EDITOR_VIEWS, QueryEditor } from './query-editor';

interface Stored {
  readonly query: DescribedQuery;
  /** Null: a file has it, whose text is not sent. */
  readonly yaml: string | null;
}

export function EditQueryPage({ name }: { readonly name: string }): ReactNode {
  const { api, may } = useSession();
  useTitle(`Edit ${name}`);
  const { value, problem, again } = useLoaded(name, (signal) => readStored(api, name, signal));
  const mayEdit = may('endpoints:read') && may('endpoints:write');
  return (
    <>
      <h1>
        <Link href={QUERIES}>Saved queries</Link> <span aria-hidden>/</span> <Link href={queryLink(name)}>{name}</Link>{' '}
        <span aria-hidden>/</span> Edit
      </h1>
      <IgnoredPartsNote names={{ view: EDITOR_VIEWS }} />
      {!mayEdit && <p>This token may not change saved queries (scopes endpoints:read and endpoints:write).</p>}
      {mayEdit && problem && <Failure problem={problem} onRetry={again} />}
      {mayEdit && value === null && problem === null && <Waiting what={`Loading ${name}`} />}
      {mayEdit && value !== null && <EditStored key={value.query.id} {...value} />}
    </>
  );
}

async function readStored(api: ApiClient, name: string, signal: AbortSignal): Promise<Stored> {
  const query = await api.result<DescribedQuery>(`/api/endpoints/${encodeURIComponent(name)}`, { signal });
  if (query.origin === 'file') return { query, yaml: null };
  const { yaml } = await readRevision(api, { kept: 'endpoints', name: query.id, revision: query.revision }, signal);
  return { query, yaml };
}

function EditStored({ query, yaml }: Stored): ReactNode {
  const key = editDraftKey(query.id);
  const [kept] = useState(() => readDraft(key));
  if (yaml === null)
    return (
      <div className="notice">
        <p>This saved query is managed in a file of the folder of the server. It is read only here: change its file.</p>
        <p>
          <Link href={withState(NEW_QUERY, { copy: query.name })}>Copy under another name</Link>
        </p>
      </div>
    );
  const stored: Draft = { text: yaml, base: yaml, revision: query.revision, note: '', parameters: {} };
  return (
    <QueryEditor
      draftKey={key}
      start={kept ?? stored}
      isRestored={kept !== null}
      id={query.id}
      pageAfter={(saved) => (saved.name === query.name ? null : editLink(saved.name))}
    />
  );
}
