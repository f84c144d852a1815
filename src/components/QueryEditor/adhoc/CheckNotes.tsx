import React from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';
import type { ValidateResource } from '#contract/plugin/resources';
import { formatProblem } from '../../../language/problems/format-problem';

interface Props {
  readonly text: string;
  readonly check: ValidateResource | undefined;
}

/** What the last check found in the text. */
export function CheckNotes({ text, check }: Props) {
  const styles = useStyles2(getStyles);
  const problem = check && !check.valid && text.trim() !== '' ? check.error : undefined;
  const warnings = check?.valid ? (check.result.warnings ?? []) : [];
  return (
    <div role="status" aria-live="polite" className={styles.notes}>
      {problem && (
        <p className={styles.problem}>
          <Icon name="exclamation-circle" /> {formatProblem(problem)}
        </p>
      )}
      {warnings.map(({ message }) => (
        <p key={message} className={styles.warning}>
          <Icon name="exclamation-triangle" /> {message}
        </p>
      ))}
    </div>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    notes: css({ minHeight: theme.spacing(3), p: { margin: theme.spacing(0.5, 0) } }),
    problem: css({ color: theme.colors.error.text }),
    warning: css({ color: theme.colors.warning.text }),
  };
}
