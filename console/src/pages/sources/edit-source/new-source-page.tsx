/** Creates a source. */
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { mayListSources } from '../../../api/is-confined';
import type { Problem } from '../../../api/problem';
import { createSource, listSources } from '../../../api/sources';
import type { ListedSource } from '../../../api/shapes';
import { IgnoredPartsNote } from '../../../app/ignored-parts-note';
import { sourceLink, SOURCES } from '../../../app/links';
import { useSession } from '../../../app/session';
import { toProblem, useLoaded } from '../../../app/use-loaded';
import { useRequestKey } from '../../../app/use-request-key';
import { useSearch } from '../../../app/use-search';
import { useTitle } from '../../../app/use-title';
import { definitionOf, NEW_SOURCE_FIELDS } from './source-fields';
import { SourceForm } from './source-form';
import { type SourceDraft, useSourceDraft } from './use-source-draft';

export function NewSourcePage(): ReactNode {
  const { api, own, may } = useSession();
  useTitle('New source');
  const name = new URLSearchParams(useSearch()).get('name') ?? '';
  const canList = mayListSources(own);
  // The service checks names, too: the form does not wait for them.
  const { value } = useLoaded('sources', (signal) => (canList ? listSources(api, signal) : Promise.resolve([])));
  return (
    <>
      <h1>
        <Link href={SOURCES}>Sources</Link> <span aria-hidden>/</span> New source
      </h1>
      <IgnoredPartsNote names={{ name: null }} />
      {may('sources:write') ? (
        <NewSource key={name} name={name} namesInUse={namesOf(value ?? [])} />
      ) : (
        <p>This token may not create sources (scope sources:write).</p>
      )}
    </>
  );
}

export function namesOf(sources: readonly ListedSource[]): readonly string[] {
  return sources.flatMap(({ name, aliases }) => [name, ...aliases]);
}

interface NewSourceProps {
  readonly name: string;
  readonly namesInUse: readonly string[];
}

function NewSource({ name, namesInUse }: NewSourceProps): ReactNode {
  const { api } = useSession();
  const [, goTo] = useLocation();
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { keyOf } = useRequestKey();
  const start: SourceDraft = { fields: { ...NEW_SOURCE_FIELDS, name }, note: '', base: null };
  const { draft, isRestored, change, end } = useSourceDraft(
    `new-source:${name}`,
    start,
    'The new source is not created. What you typed stays.',
    ({ fields }) => JSON.stringify(fields) !== JSON.stringify(start.fields)
  );

  const create = async (): Promise<void> => {
    setRunning(true);
    setProblem(null);
    const definition = definitionOf(draft.fields);
    try {
      const created = await createSource(api, definition, draft.note, keyOf([definition, draft.note]));
      end();
      goTo(sourceLink(created.name));
    } catch (error) {
      setProblem(toProblem(error));
      setRunning(false);
    }
  };

  return (
    <>
      <p className="soft">A source is a kind of logs that is sent, kept and read under one name.</p>
      {isRestored && <p className="notice">This tab has kept what you typed.</p>}
      <SourceForm
        state={draft}
        isNew
        namesInUse={namesInUse}
        submit={{ label: isRunning ? 'Creating …' : 'Create the source', isDisabled: isRunning }}
        problem={problem}
        onChange={change}
        onSubmit={() => void create()}
      />
    </>
  );
}
