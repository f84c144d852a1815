import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Monaco, MonacoEditor } from '@grafana/ui';
import type { EndpointResource, ValidateResource } from '#contract/plugin/resources';
import type { SqlFunction } from '../../../api/endpoint-catalog';
import { markersOf } from '../../../language/problems/markers';
import { offerCompletion, type AdhocLanguage } from '../../../language/monaco-language';
import { suggestLql } from '../../../language/completion/suggest-lql';
import { suggestSql } from '../../../language/completion/suggest-sql';

/** What the editor shows, and what its handlers do. */
export interface EditorState {
  readonly mode: AdhocLanguage;
  readonly text: string;
  readonly detail: EndpointResource | undefined;
  readonly functions: readonly SqlFunction[];
  /** Result of the last check; undefined while it is pending. */
  readonly check: ValidateResource | undefined;
  readonly onChange: (text: string) => void;
  readonly onRun: (text: string) => void;
}

interface Mounted {
  readonly editor: MonacoEditor;
  readonly monaco: Monaco;
}

interface EditorHandlers {
  readonly onMount: (editor: MonacoEditor, monaco: Monaco) => void;
  readonly onChange: (written: string) => void;
}

/** Completion, markers and keys of a Monaco editor. */
export function useEditorLanguage(state: EditorState): EditorHandlers {
  const { mode, text, check } = state;
  const [mounted, setMounted] = useState<Mounted>();
  const latest = useRef(state);
  // Runs before other effects, because the editor reports a change of its text through the handlers of the previous
  // render.
  useLayoutEffect(() => {
    latest.current = state;
  });
  const suggest = useCallback(
    (written: string, offset: number) => {
      const tables = latest.current.detail?.tables ?? [];
      return mode === 'sql'
        ? suggestSql(written, offset, { tables, functions: latest.current.functions })
        : suggestLql(written, offset, tables);
    },
    [mode]
  );
  useEffect(() => {
    const uri = mounted?.editor.getModel()?.uri.toString();
    return uri === undefined ? undefined : offerCompletion(uri, suggest);
  }, [mounted, suggest]);
  useEffect(() => {
    if (mounted) setMarkers(mounted, text, check);
  }, [mounted, check, text]);
  return {
    onMount: (editor, monaco) => {
      addKeys({ editor, monaco }, (written) => latest.current.onRun(written));
      setMounted({ editor, monaco });
    },
    onChange: (written) => written !== latest.current.text && latest.current.onChange(written),
  };
}

function setMarkers({ editor, monaco }: Mounted, text: string, check: ValidateResource | undefined): void {
  const model = editor.getModel();
  if (!model) return;
  const { Error, Warning } = monaco.MarkerSeverity;
  const markers = check ? markersOf(text, check) : [];
  monaco.editor.setModelMarkers(
    model,
    'lqe',
    markers.map((each) => ({ ...each, severity: each.severity === 'error' ? Error : Warning }))
  );
}

function addKeys({ editor, monaco }: Mounted, onRun: (text: string) => void): void {
  editor.addAction({
    id: 'lqe-run',
    label: 'Run query',
    keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, monaco.KeyMod.Shift | monaco.KeyCode.Enter],
    run: () => {
      closeSuggestions(editor);
      onRun(editor.getValue());
    },
  });
  // A closing parenthesis completes the call, so suggestions are closed.
  editor.onDidChangeModelContent(({ changes }) => {
    if (changes.some(({ text }) => text === ')')) closeSuggestions(editor);
  });
}

function closeSuggestions(editor: MonacoEditor): void {
  editor.trigger('lqe', 'hideSuggestWidget', {});
}
