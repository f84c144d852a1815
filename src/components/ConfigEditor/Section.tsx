import React, { useId, type ReactNode } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, description, children }: Props) {
  const styles = useStyles2(getStyles);
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {description && <p className={styles.description}>{description}</p>}
      {children}
    </section>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    section: css({ margin: theme.spacing(4, 0), maxWidth: theme.spacing(90) }),
    description: css({ color: theme.colors.text.secondary }),
  };
}
