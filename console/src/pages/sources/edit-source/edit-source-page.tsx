/** Changes a source of the API. One of a file is read only here. */
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ApiClient } from '../../../api/client';
import { mayListSources } from '../../../api/is-confined';
import { Problem } from '../../../api/problem';
import { type DescribedSource, listSources, patchSource, readSource } from '../../../api/sources';
import type { ListedSource } from '../../../api/shapes';
import { IgnoredPartsNote } from '../../../app/ignored-parts-note';
import { LazyPart, lazyComponent } from '../../../app/lazy-part';
import { sourceLink, SOURCES } from '../../../app/links';
import { useSession } from '../../../app/session';
import { toProblem, useLoaded } from '../../../app/use-loaded';
import { useTitle } from '../../../app/use-title';
import { Failure } from '../../../parts/failure';
import { Waiting } from '../../../parts/waiting';
import { OfFileNotice } from '../one-source/of-file-notice';
import { changeWarnings } from './change-warnings';
import { namesOf } from './new-source-page';
import { fieldsOfSource, sourcePatch } from './source-fields';
import { SourceForm } from './source-form';
import { type SourceDraft, useSourceDraft } from './use-source-draft';

const SourceConflict = lazyComponent(async () => (await import('../../edit/pages')).SourceConflict);

export function EditSourcePage({ name }: { readonly name: string }): ReactNode {
  const { api, own, may } = useSession();
  useTitle(`Edit ${name}`);
  const { value, problem, again } = useLoaded(name, async (signal) => {
    const [source, listed] = await Promise.all([
      readSource(api, name, signal),
      // Names in use and figures for warnings: the service checks the names, too.
      mayListSources(own) ? listSources(api, signal).catch(() => []) : [],
    ]);
    return { source, listed };
  });
  const mayEdit = may('sources:write');
  return (
    <>
      <h1>
        <Link href={SOURCES}>Sources</Link> <span aria-hidden>/</span> <Link href={sourceLink(name)}>{name}</Link>{' '}
        <span aria-hidden>/</span> Edit
      </h1>
      <IgnoredPartsNote names={{}} />
      {!mayEdit && <p>This token may not change sources (scope sources:write).</p>}
      {mayEdit && problem && value === null && <Failure problem={problem} onRetry={again} />}
      {mayEdit && value === null && problem === null && <Waiting what={`Loading ${name}`} />}
      {mayEdit &&
        value !== null &&
        (value.source.revision === null ? (
          <OfFileNotice />
        ) : (
          <EditSource source={value.source} revision={value.source.revision} listed={value.listed} />
        ))}
    </>
  );
}

interface EditSourceProps {
  readonly source: DescribedSource;
  readonly revision: number;
  readonly listed: readonly ListedSource[];
}

const isChanged = ({ base, fields }: SourceDraft): boolean =>
  base !== null && Object.keys(sourcePatch(base.definition, fields)).length > 0;

function EditSource({ source, revision, listed }: EditSourceProps): ReactNode {
  const [, goTo] = useLocation();
  const { name } = source;
  const start: SourceDraft = { fields: fieldsOfSource(source), note: '', base: { definition: source, revision } };
  const { draft, isRestored, change, end } = useSourceDraft(
    `source:${source.id ?? name}`,
    start,
    `Changes of the source ${name} are not saved.`,
    isChanged
  );
  const leave = (): void => {
    end();
    goTo(sourceLink(name));
  };
  const { state, save, endConflict } = useSave(name, draft, leave);
  const base = draft.base ?? { definition: source, revision };
  const { conflict } = state;

  if (conflict !== null)
    return (
      <LazyPart fallback={<Waiting what="Loading the comparison" />}>
        <SourceConflict
          base={base.definition}
          fields={draft.fields}
          theirs={conflict}
          onCancel={endConflict}
          onMerged={(definition) => {
            const { revision: newest } = conflict;
            change({
              fields: fieldsOfSource(definition),
              base: { definition: conflict, revision: newest ?? base.revision },
            });
            endConflict();
          }}
        />
      </LazyPart>
    );
  return (
    <>
      {isRestored && <p className="notice">This tab has kept these unsaved changes.</p>}
      <SourceForm
        state={draft}
        isNew={false}
        namesInUse={namesOf(listed.filter((each) => each.name !== name))}
        warnings={changeWarnings(
          base.definition,
          draft.fields,
          listed.find((each) => each.name === name)
        )}
        submit={{
          label: state.isSaving ? 'Saving …' : 'Save the changes',
          isDisabled: state.isSaving || !isChanged(draft),
        }}
        problem={state.problem}
        onChange={change}
        onSubmit={() => void save()}
      >
        <button type="button" disabled={state.isSaving} onClick={leave}>
          {isChanged(draft) ? 'Discard the changes' : 'Cancel'}
        </button>
      </SourceForm>
    </>
  );
}

interface SaveState {
  readonly isSaving: boolean;
  readonly problem: Problem | null;
  /** The source as another person has changed it. */
  readonly conflict: DescribedSource | null;
}

const IDLE: SaveState = { isSaving: false, problem: null, conflict: null };

interface Saving {
  readonly state: SaveState;
  readonly save: () => Promise<void>;
  readonly endConflict: () => void;
}

function useSave(name: string, { fields, note, base }: SourceDraft, onSaved: () => void): Saving {
  const { api } = useSession();
  const [state, setState] = useState(IDLE);

  const save = async (): Promise<void> => {
    if (state.isSaving || base === null) return;
    setState({ ...IDLE, isSaving: true });
    const patch = sourcePatch(base.definition, fields);
    try {
      await patchSource(api, { name, revision: base.revision, patch, note });
      onSaved();
    } catch (error) {
      setState(await failed(api, name, toProblem(error)));
    }
  };
  return { state, save, endConflict: () => setState(IDLE) };
}

async function failed(api: ApiClient, name: string, problem: Problem): Promise<SaveState> {
  if (problem.code === 'source_not_found') return { ...IDLE, problem: deleted(name) };
  if (problem.code !== 'revision_conflict') return { ...IDLE, problem };
  try {
    return { ...IDLE, conflict: await readSource(api, name) };
  } catch (error) {
    return { ...IDLE, problem: toProblem(error) };
  }
}

function deleted(name: string): Problem {
  return new Problem(404, {
    code: 'source_not_found',
    message: `The source ${name} was deleted while you were editing. Your changes are still here.`,
    details: { hint: 'create it again under this name in another tab, then save' },
  });
}
