import React, { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, CodeEditor, Icon, useStyles2, type Monaco, type MonacoEditor } from '@grafana/ui';
import type { EndpointResource, ValidateResource } from '#contract/plugin/resources';
import type { SqlFunction } from '../../api/endpoint-catalog';
import { markersOf } from '../../language/markers';
import { languageId, offerCompletion, registerLanguages, type AdhocLanguage } from '../../language/monaco-language';
import { sayProblem } from '../../language/say-problem';
import { suggestLql } from '../../language/suggest-lql';
import { suggestSql } from '../../language/suggest-sql';
import { formatSql } from '../../builder/format-sql';
import { logTable } from '../../language/log-table';
import { exampleQueries, type ExampleQuery } from '../../query/examples';
import { FlexRow } from '../compat/Flex';

interface Props {
  readonly mode: AdhocLanguage;
  readonly text: string;
  readonly detail: EndpointResource | undefined;
  readonly functions: readonly SqlFunction[];
  /** Result of the last check; undefined while it is pending. */
  readonly check: ValidateResource | undefined;
  readonly onChange: (text: string) => void;
  readonly onRun: (text: string) => void;
  readonly onExample: (example: ExampleQuery) => void;
}

export function AdhocField({ mode, text, detail, functions, check, onChange, onRun, onExample }: Props) {
  const styles = useStyles2(getStyles);
  const [mounted, setMounted] = useState<{ readonly editor: MonacoEditor; readonly monaco: Monaco }>();
  const [isSqlShown, setSqlShown] = useState(false);
  const latest = useRef({ text, detail, functions, onChange, onRun });
  // Runs before other effects, because the editor reports a change of its text through the handlers of the previous
  // render.
  useLayoutEffect(() => {
    latest.current = { text, detail, functions, onChange, onRun };
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
    const model = mounted?.editor.getModel();
    if (!mounted || !model) return;
    const { MarkerSeverity } = mounted.monaco;
    const markers = check ? markersOf(text, check) : [];
    mounted.monaco.editor.setModelMarkers(
      model,
      'lqe',
      markers.map((each) => ({
        ...each,
        severity: each.severity === 'error' ? MarkerSeverity.Error : MarkerSeverity.Warning,
      }))
    );
  }, [mounted, check, text]);

  const problem = check && !check.valid && text.trim() !== '' ? check.error : undefined;
  const warnings = check?.valid ? (check.result.warnings ?? []) : [];
  const formatted = mode === 'sql' ? formatSql(text) : undefined;
  const examples = exampleQueries(
    mode,
    detail?.tables ?? [],
    detail && logTable({ ...NO_QUERY, mode, [mode]: text }, detail)
  );
  return (
    <div className={styles.field}>
      <CodeEditor
        // Monaco cannot change the language of an existing editor.
        key={mode}
        language={languageId(mode)}
        value={text}
        height={mode === 'sql' ? 160 : 60}
        showLineNumbers={mode === 'sql'}
        showMiniMap={false}
        monacoOptions={{ ...EDITOR_OPTIONS, ariaLabel: `${mode.toUpperCase()} text` }}
        onBeforeEditorMount={registerLanguages}
        onEditorDidMount={(editor, monaco) => {
          editor.addAction({
            id: 'lqe-run',
            label: 'Run query',
            keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, monaco.KeyMod.Shift | monaco.KeyCode.Enter],
            run: () => {
              closeSuggestions(editor);
              latest.current.onRun(editor.getValue());
            },
          });
          // A closing parenthesis completes the call, so suggestions are closed.
          editor.onDidChangeModelContent(({ changes }) => {
            if (changes.some(({ text: written }) => written === ')')) closeSuggestions(editor);
          });
          setMounted({ editor, monaco });
        }}
        onChange={(written) => written !== latest.current.text && latest.current.onChange(written)}
        onBlur={onRun}
        onSave={onRun}
      />
      <div role="status" aria-live="polite" className={styles.said}>
        {problem && (
          <p className={styles.problem}>
            <Icon name="exclamation-circle" /> {sayProblem(problem)}
          </p>
        )}
        {warnings.map(({ message }) => (
          <p key={message} className={styles.warning}>
            <Icon name="exclamation-triangle" /> {message}
          </p>
        ))}
      </div>
      <FlexRow align="center">
        {mode === 'sql' && (
          <Button
            size="sm"
            variant="secondary"
            icon="brackets-curly"
            disabled={formatted === undefined || formatted === text}
            tooltip={
              formatted === undefined
                ? 'A quote or a comment in the text does not end.'
                : 'Sets line breaks and indentation. Words, comments and macros stay as they are.'
            }
            onClick={() => onChange(formatted ?? text)}
          >
            Format query
          </Button>
        )}
        {examples.length > 0 && <span className={styles.label}>Examples</span>}
        {examples.map((example) => (
          <Button key={example.title} size="sm" variant="secondary" fill="outline" onClick={() => onExample(example)}>
            {example.title}
          </Button>
        ))}
        {mode === 'lql' && (
          <Button
            size="sm"
            variant="secondary"
            icon={isSqlShown ? 'angle-down' : 'angle-right'}
            aria-expanded={isSqlShown}
            onClick={() => setSqlShown(!isSqlShown)}
          >
            As SQL
          </Button>
        )}
      </FlexRow>
      {mode === 'lql' && isSqlShown && (
        <pre className={styles.sql} aria-label="The SQL of the LQL">
          {check?.valid ? formatSql(check.result.sql ?? '') : 'A text that is right has one.'}
        </pre>
      )}
    </div>
  );
}

const NO_QUERY = { refId: '' };

function closeSuggestions(editor: MonacoEditor): void {
  editor.trigger('lqe', 'hideSuggestWidget', {});
}

const EDITOR_OPTIONS = {
  fontSize: 13,
  fixedOverflowWidgets: true,
  quickSuggestions: { other: true, comments: false, strings: false },
  wordBasedSuggestions: false,
  tabFocusMode: true,
  // The field has a few lines only: a ruler and space below the text would waste room.
  overviewRulerLanes: 0,
  scrollBeyondLastLine: false,
  scrollbar: { verticalScrollbarSize: 8, alwaysConsumeMouseWheel: false },
} as const;

function getStyles(theme: GrafanaTheme2) {
  return {
    field: css({ marginBottom: theme.spacing(1) }),
    said: css({ minHeight: theme.spacing(3), p: { margin: theme.spacing(0.5, 0) } }),
    label: css({ color: theme.colors.text.secondary }),
    sql: css({ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', margin: theme.spacing(1, 0, 0) }),
    problem: css({ color: theme.colors.error.text }),
    warning: css({ color: theme.colors.warning.text }),
  };
}
