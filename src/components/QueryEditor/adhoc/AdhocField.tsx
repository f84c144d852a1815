import React, { useState } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, CodeEditor, useStyles2 } from '@grafana/ui';
import { formatSql } from '../../../builder/sql/format-sql';
import { logTable } from '../../../language/log-table';
import { languageId, registerLanguages } from '../../../language/monaco-language';
import { exampleQueries, type ExampleQuery } from '../../../query/examples';
import { FlexRow } from '../../compat/Flex';
import { CheckNotes } from './CheckNotes';
import { type EditorState, useEditorLanguage } from './use-editor-language';

interface Props extends EditorState {
  readonly isAlert: boolean;
  readonly onExample: (example: ExampleQuery) => void;
}

export function AdhocField({ onExample, isAlert, ...state }: Props) {
  const { mode, text, detail, check, onChange, onRun } = state;
  const styles = useStyles2(getStyles);
  const editor = useEditorLanguage(state);
  const [isSqlShown, setSqlShown] = useState(false);
  const read = detail && logTable({ ...NO_QUERY, mode, [mode]: text }, detail);
  const examples = exampleQueries(mode, detail?.tables ?? [], { read, isAlert });
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
        onEditorDidMount={editor.onMount}
        onChange={editor.onChange}
        onBlur={onRun}
        onSave={onRun}
      />
      <CheckNotes text={text} check={check} />
      <FlexRow align="center">
        {mode === 'sql' && <FormatButton text={text} onChange={onChange} />}
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
          {check?.valid ? formatSql(check.result.sql ?? '') : 'Only a valid text has SQL.'}
        </pre>
      )}
    </div>
  );
}

function FormatButton({ text, onChange }: Pick<Props, 'text' | 'onChange'>) {
  const formatted = formatSql(text);
  return (
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
  );
}

const NO_QUERY = { refId: '' };

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
    label: css({ color: theme.colors.text.secondary }),
    sql: css({ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', margin: theme.spacing(1, 0, 0) }),
  };
}
