/** Edits the definition of one saved query, as a form or as YAML: two views of one text. */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { DescribedTable } from '#contract/queries/description';
import type { SavedChange } from '../../api/changes';
import { withState } from '../../app/links';
import { useUnsaved } from '../../app/leave-guard';
import { useSearch } from '../../app/use-search';
import { type Fields, readText, writeField } from '../../definition/definition-text';
import { type Draft, dropDraft, editDraftKey, keepDraft } from '../../definition/drafts';
import { fitsForm, textOf } from '../../definition/read-fields';
import { offsetOf } from '../../editor/validate-text';
import { NO_TABLES, type TextProblem } from '../../editor/settings';
import { TextEditor } from '../../editor/text-editor';
import { Tabs } from '../../parts/tabs';
import { Conflict } from './saving/conflict';
import { DefinitionForm } from './form/definition-form';
import { Preview, type PreviewHandle } from './preview';
import { SaveBar } from './saving/save-bar';
import { type Check, useCheck, type View } from './saving/use-check';
import { useSave } from './saving/use-save';
import { useSources } from './use-sources';

interface QueryEditorProps {
  /** Where the draft is kept. */
  readonly draftKey: string;
  /** What the edit begins with: as it is stored, or a draft of before. */
  readonly start: Draft;
  /** The draft is one of before. */
  readonly isRestored: boolean;
  /** Id of the saved query; null: it is new. */
  readonly id: string | null;
  /** Notes about what is filled in, one sentence each. */
  readonly notes?: readonly string[];
  /**
   * @param isChanged whether more was typed while it was saved: the draft of the saved query has it
   * @returns address of the page to go on with; null: this one
   */
  readonly pageAfter: (saved: SavedChange, isChanged: boolean) => string | null;
}

const UNCHECKED: Check = { outcome: null, failure: null, isRunning: false };
const VIEWS: Readonly<Record<string, View>> = { Form: 'form', YAML: 'yaml' };

export function QueryEditor(props: QueryEditorProps): ReactNode {
  const { isRestored, id, notes = [] } = props;
  const { draft, fields, unreadable, isChanged, isKept, change, reset, saving } = useDraft(props);
  const { text, base } = draft;
  const { state, save, endConflict } = saving;
  const isForm = fields !== null && fitsForm(fields);
  const [wanted, setView] = useView();
  const view = isForm ? wanted : 'yaml';
  // A new definition is checked and tried before it has a name, until it is to be saved.
  const isUnnamed = id === null && fields !== null && textOf(fields, 'name') === '';
  const found = useCheck(text, view, isUnnamed && state.problem === null);
  const tables = useSourceTables();
  const preview = useRef<PreviewHandle>(null);
  // An empty form is not wrong yet.
  const check = id === null && !isChanged ? UNCHECKED : found;

  if (state.conflict !== null)
    return (
      <Conflict
        base={base}
        mine={text}
        theirs={state.conflict}
        onCancel={() => endConflict()}
        onMerged={(merged) => {
          change({ text: merged, base: state.conflict?.yaml ?? base, revision: state.conflict?.revision ?? null });
          endConflict();
        }}
      />
    );
  return (
    <div className="query-editor">
      <Notices isRestored={isRestored && isChanged} isKept={isKept} notes={notes} />
      <Tabs
        names={isForm ? Object.keys(VIEWS) : ['YAML']}
        current={view === 'form' ? 'Form' : 'YAML'}
        onChoose={(chosen) => setView(VIEWS[chosen] ?? 'form')}
      />
      {view === 'form' && fields !== null ? (
        <DefinitionForm
          fields={fields}
          problems={check.outcome?.problems ?? []}
          tables={tables}
          onChange={(path, value) => change({ text: writeField(text, path, value) })}
          onRun={() => preview.current?.run()}
        />
      ) : (
        <YamlView
          text={text}
          unreadable={unreadable}
          check={check}
          onText={(written) => change({ text: written })}
          onRun={() => preview.current?.run()}
        />
      )}
      <SaveBar
        draft={draft}
        check={check}
        state={state}
        isNew={id === null}
        isUnnamed={isUnnamed && isChanged}
        isChanged={isChanged}
        onNote={(note) => change({ note })}
        onSave={() => void save()}
        onDiscard={() => reset({ text: base })}
      />
      <Preview
        ref={preview}
        text={text}
        fields={fields}
        values={draft.parameters}
        onValues={(parameters) => change({ parameters })}
      />
    </div>
  );
}

interface DraftState {
  readonly draft: Draft;
  /** Null: the text cannot be read, for the reason `unreadable`. */
  readonly fields: Fields | null;
  readonly unreadable: string | null;
  readonly isChanged: boolean;
  /** False: the browser has no room for the draft. */
  readonly isKept: boolean;
  readonly change: (part: Partial<Draft>) => void;
  /** Ends the draft: its text is the base. */
  readonly reset: (part: Partial<Draft>) => void;
  readonly saving: ReturnType<typeof useSave>;
}

/** A draft that is kept in the tab while it differs from its base, and asked about before the page is left. */
function useDraft({ draftKey, start, id, pageAfter }: QueryEditorProps): DraftState {
  const [, goTo] = useLocation();
  const [draft, setDraft] = useState(start);
  const [isKept, setKept] = useState(true);
  const { text, base } = draft;
  const { fields, problem: unreadable } = useMemo(() => readText(text), [text]);
  const isChanged = text !== base;
  const name = fields === null ? '' : textOf(fields, 'name');
  const release = useUnsaved(
    isChanged
      ? `Changes of ${name === '' ? 'the new saved query' : name} are not saved. They stay in this tab as a draft until you sign out.`
      : null
  );
  const change = (part: Partial<Draft>): void => {
    const next = { ...draft, ...part };
    setDraft(next);
    // Values of the preview alone are no change of the definition.
    if (isChanged || !('parameters' in part)) setKept(keepDraft(draftKey, next));
  };
  const reset = (part: Partial<Draft>): void => {
    dropDraft(draftKey);
    setDraft({ ...draft, ...part, note: '' });
  };
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  const saving = useSave(draft, id, (saved, stored) => {
    const typed = latest.current;
    if (typed.text === stored) reset({ text: stored, base: stored, revision: saved.revision });
    else {
      const next = { ...typed, base: stored, revision: saved.revision };
      dropDraft(draftKey);
      keepDraft(editDraftKey(saved.id), next);
      setDraft(next);
    }
    const to = pageAfter(saved, typed.text !== stored);
    if (to === null) return;
    release();
    goTo(to, { replace: id !== null });
  });
  useSaveKey(() => (saving.state.conflict === null && (isChanged || id === null) ? saving.save() : undefined));
  return { draft, fields, unreadable, isChanged, isKept, change, reset, saving };
}

interface NoticesProps {
  readonly isRestored: boolean;
  readonly isKept: boolean;
  readonly notes: readonly string[];
}

function Notices({ isRestored, isKept, notes }: NoticesProps): ReactNode {
  return (
    <>
      {isRestored && <p className="notice">This tab has kept these unsaved changes.</p>}
      {!isKept && <p className="notice warn">The browser has no room for a draft: a reload would lose your changes.</p>}
      {notes.map((note) => (
        <p key={note} className="notice">
          {note}
        </p>
      ))}
    </>
  );
}

interface YamlViewProps {
  readonly text: string;
  /** Why the form cannot show the text; null: it can. */
  readonly unreadable: string | null;
  readonly check: Check;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
}

function YamlView({ text, unreadable, check, onText, onRun }: YamlViewProps): ReactNode {
  return (
    <>
      {unreadable !== null && <p className="soft">The form is back when the text can be read: {unreadable}</p>}
      <TextEditor
        label="Definition as YAML"
        language="yaml"
        text={text}
        tables={NO_TABLES}
        problems={inText(check, text)}
        onChange={onText}
        onRun={onRun}
      />
    </>
  );
}

/** Values of `view` in the address. */
export const EDITOR_VIEWS: readonly View[] = ['form', 'yaml'];

/** The view is in the address. */
function useView(): readonly [View, (view: View) => void] {
  const [location, goTo] = useLocation();
  const search = new URLSearchParams(useSearch());
  const setView = (view: View): void => {
    const state = Object.fromEntries([...search].filter(([key]) => key !== 'view'));
    goTo(withState(location, view === 'form' ? state : { ...state, view }), { replace: true });
  };
  return [search.get('view') === 'yaml' ? 'yaml' : 'form', setView];
}

/** Ctrl+S, which would save the page itself. */
function useSaveKey(save: () => Promise<void> | undefined): void {
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
      event.preventDefault();
      void latest.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** The sources, which a definition reads, for completion. */
function useSourceTables(): readonly DescribedTable[] {
  const sources = useSources();
  return useMemo(() => sources.map(({ name, columns }) => ({ name, columns })), [sources]);
}

function inText({ outcome }: Check, text: string): readonly TextProblem[] {
  return (outcome?.problems ?? []).map(({ message, inText: position }) => {
    const from = position === null ? 0 : offsetOf(text, position);
    const word = /^[^\s:]+/.exec(text.slice(from, from + 200))?.[0].length ?? 1;
    return { severity: 'error', message, from, to: Math.min(text.length, from + word) };
  });
}
