import React, { type ReactNode } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { Fold } from '../../Fold';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  /** Summary of its settings, shown beside the title. */
  readonly summary: string;
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
}

/** Collapsible section of the settings; closed by default, so that "Save & test" stays visible. */
export function Section({ title, description, summary, isOpenAtFirst, children }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <section className={styles.section} aria-label={title}>
      <Fold title={title} summary={summary} isOpenAtFirst={isOpenAtFirst}>
        <div className={styles.content}>
          {description && <p className={styles.description}>{description}</p>}
          {children}
        </div>
      </Fold>
    </section>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    section: css({
      maxWidth: theme.spacing(90),
      borderTop: `1px solid ${theme.colors.border.weak}`,
      padding: theme.spacing(0.5, 0),
    }),
    content: css({ padding: theme.spacing(0.5, 0, 1, 3) }),
    description: css({ color: theme.colors.text.secondary }),
  };
}

/** Lists the parts that are set. */
export function summaryOf(parts: ReadonlyArray<string | false | undefined | null>): string {
  return parts.filter(Boolean).join(', ') || 'Not set';
}
