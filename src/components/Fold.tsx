import React, { useId, useState, type ReactNode } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

interface Props {
  readonly title: string;
  /** Short summary of the content, shown in both states. */
  readonly summary?: string;
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
}

/** Collapsible area with a heading. */
export function Fold({ title, summary, isOpenAtFirst = false, children }: Props) {
  const styles = useStyles2(getStyles);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  return (
    <div>
      <button
        type="button"
        className={styles.heading}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'angle-down' : 'angle-right'} />
        <span className={styles.title}>{title}</span>
        {summary && <span className={styles.summary}>{summary}</span>}
      </button>
      <div id={id}>{isOpen && children}</div>
    </div>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    heading: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      padding: theme.spacing(0.5, 0),
      border: 0,
      background: 'none',
      color: theme.colors.text.primary,
      cursor: 'pointer',
    }),
    title: css({ fontWeight: theme.typography.fontWeightMedium }),
    summary: css({ color: theme.colors.text.secondary }),
  };
}
