/** Editor of one text, whose page checks it. It is in a shadow tree for the same reason as that of the sandbox. */
import { setDiagnostics } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import { type ReactNode, useEffect, useRef } from 'react';
import type { DescribedTable } from '#contract/queries/description';
import { SQL_FUNCTIONS } from '#contract/plugin/sql-functions';
import { createEditor, setLanguage } from './create-editor';
import type { EditorSettings, TextProblem } from './settings';

interface TextEditorProps {
  readonly label: string;
  readonly language: 'sql' | 'yaml';
  readonly text: string;
  /** For the completion of SQL. */
  readonly tables: readonly DescribedTable[];
  readonly problems: readonly TextProblem[];
  readonly onChange: (text: string) => void;
  /** Ctrl+Enter. */
  readonly onRun: () => void;
}

export function TextEditor(props: TextEditorProps): ReactNode {
  const { label, text, problems, tables } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  // The editor lives as long as the page; its callbacks read what is shown now.
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (place.current === null) return undefined;
    const settings: EditorSettings = {
      label,
      language: () => latest.current.language,
      tables: () => latest.current.tables,
      functions: SQL_FUNCTIONS,
      onChange: (written) => {
        if (written !== latest.current.text) latest.current.onChange(written);
      },
      onRun: () => latest.current.onRun(),
    };
    const editor = createEditor(place.current, latest.current.text, settings);
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [label]);

  useEffect(() => {
    const editor = view.current;
    if (editor !== null && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    if (view.current !== null) setLanguage(view.current);
  }, [tables]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { length } = editor.state.doc;
    const shown = problems.map(({ from, to, ...rest }) => ({
      ...rest,
      from: Math.min(from, length),
      to: Math.min(to, length),
    }));
    editor.dispatch(setDiagnostics(editor.state, shown));
  }, [problems]);

  return <div className={`editor ${props.language}`} ref={place} />;
}
