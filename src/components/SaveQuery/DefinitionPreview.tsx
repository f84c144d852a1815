import React, { useEffect, useState } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { CodeEditor, Icon, useStyles2, type Monaco, type MonacoEditor } from '@grafana/ui';
import type { ResourceError } from '#contract/plugin/resources';
import { markersOf } from '../../language/problems/markers';
import { languageId, registerLanguages } from '../../language/monaco-language';
import { formatProblem } from '../../language/problems/format-problem';

interface Props {
  readonly sql: string;
  readonly label: string;
  /** In pixels. */
  readonly height: number;
  readonly problem?: ResourceError | null;
}

/** SQL of a definition with its problem at its position. */
export function DefinitionPreview({ sql, label, height, problem }: Props) {
  const styles = useStyles2(getStyles);
  const [mounted, setMounted] = useState<{ readonly editor: MonacoEditor; readonly monaco: Monaco }>();
  useEffect(() => {
    const model = mounted?.editor.getModel();
    if (!mounted || !model) return;
    const severity = mounted.monaco.MarkerSeverity.Error;
    const markers = problem?.position ? markersOf(sql, { valid: false, error: problem }) : [];
    mounted.monaco.editor.setModelMarkers(
      model,
      'lqe',
      markers.map((each) => ({ ...each, severity }))
    );
    // The part that was written now is at the end, or the problem wherever it is.
    mounted.editor.revealLine(problem?.position?.line ?? model.getLineCount());
  }, [mounted, problem, sql]);
  return (
    <>
      <CodeEditor
        language={languageId('sql')}
        value={sql}
        height={height}
        readOnly
        showLineNumbers
        showMiniMap={false}
        monacoOptions={{ ...READ_OPTIONS, ariaLabel: label }}
        onBeforeEditorMount={registerLanguages}
        onEditorDidMount={(editor, monaco) => setMounted({ editor, monaco })}
      />
      {problem && (
        <p role="alert" className={styles.problem}>
          <Icon name="exclamation-circle" /> {formatProblem(problem)}
        </p>
      )}
    </>
  );
}

const READ_OPTIONS = {
  fontSize: 12,
  tabFocusMode: true,
  wordWrap: 'on',
  // The default hides markers in texts that cannot be edited.
  renderValidationDecorations: 'on',
  overviewRulerLanes: 0,
  scrollBeyondLastLine: false,
  scrollbar: { verticalScrollbarSize: 8, alwaysConsumeMouseWheel: false },
} as const;

function getStyles(theme: GrafanaTheme2) {
  return { problem: css({ color: theme.colors.error.text, margin: theme.spacing(1, 0) }) };
}
