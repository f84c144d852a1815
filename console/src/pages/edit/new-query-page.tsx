/** Makes a new saved query: an empty one, a copy, or a text of the sandbox that is named in the address. */
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { ReadParts } from '../../app/ignored-parts';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { editLink, QUERIES, queryLink } from '../../app/links';
import { useSession } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { useTitle } from '../../app/use-title';
import { useSearch } from '../../app/use-search';
import { type Draft, readDraft } from '../../definition/drafts';
import { type Asked, prefill } from '../../definition/save-as';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import { readState } from '../saved-query/run/runner-state';
import { EDITOR_VIEWS, QueryEditor } from './query-editor';

export function NewQueryPage(): ReactNode {
  const { api, may } = useSession();
  const asked = readAsked(useSearch());
  const key = JSON.stringify(asked);
  useTitle('New saved query');
  const { parameters } = readState(useSearch());
  const { value, problem, again } = useLoaded(key, (signal) => prefill(api, asked, signal));
  return (
    <>
      <h1>
        <Link href={QUERIES}>Saved queries</Link> <span aria-hidden>/</span> New saved query
      </h1>
      <IgnoredPartsNote {...READ_PARTS} />
      {asked.from !== '' && asked.copy === '' && (
        <p className="soft">
          From a text in the sandbox of <Link href={queryLink(asked.from)}>{asked.from}</Link>, with its tables.
        </p>
      )}
      {!may('endpoints:write') && <p>This token may not create saved queries (scope endpoints:write).</p>}
      {may('endpoints:write') && problem && <Failure problem={problem} onRetry={again} />}
      {may('endpoints:write') && value === null && problem === null && <Waiting what="Preparing the definition" />}
      {may('endpoints:write') && value !== null && (
        <NewQuery key={key} draftKey={`new:${key}`} parameters={parameters} {...value} />
      )}
    </>
  );
}

interface NewQueryProps {
  readonly draftKey: string;
  readonly text: string;
  /** For the preview. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

function NewQuery({ draftKey, text, parameters, notes }: NewQueryProps): ReactNode {
  const [kept] = useState(() => readDraft(draftKey));
  const empty: Draft = { text, base: text, revision: null, note: '', parameters };
  return (
    <QueryEditor
      draftKey={draftKey}
      start={kept ?? empty}
      isRestored={kept !== null}
      id={null}
      notes={notes}
      pageAfter={({ name }, isChanged) => (isChanged ? editLink(name) : queryLink(name))}
    />
  );
}

/** `view` is of the editor, the parameters are values of its preview. */
const READ_PARTS: ReadParts = {
  names: { sql: null, lql: null, from: null, copy: null, view: EDITOR_VIEWS },
  prefix: 'p.',
};

function readAsked(search: string): Asked {
  const given = new URLSearchParams(search);
  const one = (name: string): string => given.get(name) ?? '';
  return { sql: one('sql'), lql: one('lql'), from: one('from'), copy: one('copy') };
}
