import React, { type ReactNode } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { Fold } from '../Fold';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  /** What is set in it, shown beside the title. */
  readonly summary: string;
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
}

/** A part of the settings that opens on request, so that "Save & test" stays in sight. */
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

/** The parts that are set, in a few words. */
export function summaryOf(parts: ReadonlyArray<string | false | undefined | null>): string {
  return parts.filter(Boolean).join(', ') || 'Not set';
}
