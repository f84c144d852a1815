/** Makes a new saved query: an empty one, a copy, or a text of the sandbox that is named in the address. */
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ReadParts } from '../../app/ignored-parts';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { editLink, newQueryOfSource, QUERIES, queryLink } from '../../app/links';
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
import { useSources } from './use-sources';

export function NewQueryPage(): ReactNode {
  const { api, may } = useSession();
  const asked = readAsked(useSearch());
  const key = JSON.stringify(asked);
  useTitle('New saved query');
  const { parameters } = readState(useSearch());
  const loaded = useLoaded(key, async (signal) => ({ of: key, ...(await prefill(api, asked, signal)) }));
  const { problem, again } = loaded;
  // The text of the former address stays until that of this one is there.
  const value = loaded.value?.of === key ? loaded.value : null;
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
      {may('endpoints:write') && Object.values(asked).every((part) => part === '') && <StartWithSource />}
      {!may('endpoints:write') && <p>This token may not create saved queries (scope endpoints:write).</p>}
      {may('endpoints:write') && problem && <Failure problem={problem} onRetry={again} />}
      {may('endpoints:write') && value === null && problem === null && <Waiting what="Preparing the definition" />}
      {may('endpoints:write') && value !== null && (
        <NewQuery key={key} draftKey={`new:${key}`} parameters={parameters} text={value.text} notes={value.notes} />
      )}
    </>
  );
}

/** Offers a text to begin with, by source. */
function StartWithSource(): ReactNode {
  const sources = useSources();
  const [, goTo] = useLocation();
  if (sources.length === 0) return null;
  return (
    <p className="tools">
      <label>
        Begin with the newest events of{' '}
        <select value="" onChange={({ target }) => goTo(newQueryOfSource(target.value))}>
          <option value="">a source …</option>
          {sources.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </p>
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
  names: { sql: null, lql: null, from: null, copy: null, source: null, view: EDITOR_VIEWS },
  prefix: 'p.',
};

function readAsked(search: string): Asked {
  const given = new URLSearchParams(search);
  const one = (name: string): string => given.get(name) ?? '';
  return { sql: one('sql'), lql: one('lql'), from: one('from'), copy: one('copy'), source: one('source') };
}
