import React, { type ReactNode } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

interface Props {
  readonly children: ReactNode;
  /** @default 'start' */
  readonly align?: 'start' | 'center' | 'end';
}

/** Horizontal layout that wraps. */
export function FlexRow({ children, align = 'start' }: Props) {
  const styles = useStyles2(getStyles);
  return <div className={`${styles.row} ${styles[align]}`}>{children}</div>;
}

/** Vertical layout. */
export function FlexColumn({ children, align = 'start' }: Props) {
  const styles = useStyles2(getStyles);
  return <div className={`${styles.column} ${align === 'start' ? '' : styles[align]}`}>{children}</div>;
}

function getStyles(theme: GrafanaTheme2) {
  return {
    row: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) }),
    column: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1) }),
    start: css({ alignItems: 'flex-start' }),
    center: css({ alignItems: 'center' }),
    end: css({ alignItems: 'flex-end' }),
  };
}
