/**
 * Editor of a text for the sandbox. It is in a shadow tree, where CodeMirror adds its styles as style sheets: the
 * policy of the page forbids style elements.
 */
import {
  forwardRef,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import type { EditorView } from '@codemirror/view';
import type { DescribedTable } from '#contract/queries/description';
import { SQL_FUNCTIONS } from '#contract/plugin/sql-functions';
import type { Language } from '../api/run-query';
import { useApi } from '../app/session';
import { createEditor, setLanguage, showPosition } from './create-editor';
import type { EditorSettings } from './settings';
import { validateText } from './validate-text';

export interface EditorHandle {
  readonly show: (position: { readonly line: number; readonly column: number }) => void;
}

interface AdhocEditorProps {
  readonly query: string;
  readonly tables: readonly DescribedTable[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly language: Language;
  readonly text: string;
  readonly onChange: (language: Language, text: string) => void;
  readonly onRun: () => void;
}

const LANGUAGES = [
  { name: 'sql', label: 'SQL' },
  { name: 'lql', label: 'LQL' },
] as const;

export const AdhocEditor = forwardRef<EditorHandle, AdhocEditorProps>(function AdhocEditor(props, ref): ReactNode {
  const { query, language, text, tables, onChange } = props;
  const { place, view } = useEditorView(props);
  const labelId = useId();
  useEffect(() => {
    const editor = view.current;
    if (editor !== null && editor.state.doc.toString() !== text) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    }
  }, [view, text]);
  useEffect(() => {
    if (view.current !== null) setLanguage(view.current);
  }, [view, language, tables]);
  useImperativeHandle(ref, () => ({
    show: (position) => {
      if (view.current !== null) showPosition(view.current, position);
    },
  }));

  return (
    <fieldset className="adhoc">
      <legend id={labelId}>Query in the sandbox of {query}</legend>
      <div className="tools" role="radiogroup" aria-label="Language">
        {LANGUAGES.map(({ name, label }) => (
          <label key={name}>
            <input type="radio" checked={language === name} onChange={() => onChange(name, text)} /> {label}
          </label>
        ))}
        <span className="soft">
          {text.trim() === '' ? 'Empty: the saved query itself runs.' : tables.map(({ name }) => name).join(', ')}
        </span>
      </div>
      <div className="editor" ref={place} />
    </fieldset>
  );
});

interface EditorRefs {
  /** Where the editor is in the page. */
  readonly place: RefObject<HTMLDivElement>;
  readonly view: RefObject<EditorView>;
}

function useEditorView(props: AdhocEditorProps): EditorRefs {
  const api = useApi();
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  // The editor lives as long as the page; its callbacks read what is shown now.
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });

  // Before the page is painted, so that nothing below the editor moves.
  useLayoutEffect(() => {
    const parent = place.current;
    if (parent === null) return undefined;
    const settings: EditorSettings = {
      language: () => latest.current.language,
      tables: () => latest.current.tables,
      functions: SQL_FUNCTIONS,
      validate: (written, signal) =>
        validateText(api, { ...latest.current, endpoint: latest.current.query, text: written }, signal),
      onChange: (written) => latest.current.onChange(latest.current.language, written),
      onRun: () => latest.current.onRun(),
    };
    const editor = createEditor(parent, latest.current.text, settings);
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [api]);
  return { place, view };
}
