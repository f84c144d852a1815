import React from 'react';
import { css } from '@emotion/css';
import { CoreApp, type GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import { FlexRow } from '../compat/Flex';

interface Props {
  readonly app: string | undefined;
  /** Why the query cannot run; undefined: it can. */
  readonly reason: string | undefined;
  readonly onRun: () => void;
  /** Further buttons. */
  readonly children?: React.ReactNode;
}

export function RunRow({ app, reason, onRun, children }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <FlexRow align="center">
      {!hasOwnButton(app) && (
        <Button size="sm" icon="play" disabled={reason !== undefined} onClick={onRun}>
          Run
        </Button>
      )}
      {children}
      {reason && <span className={styles.reason}>{reason}</span>}
    </FlexRow>
  );
}

/** Whether the app has its own button to run queries: Explore and alert rules. */
function hasOwnButton(app: string | undefined): boolean {
  return app === CoreApp.Explore || app === CoreApp.CloudAlerting || app === CoreApp.UnifiedAlerting;
}

function getStyles(theme: GrafanaTheme2) {
  return { reason: css({ color: theme.colors.text.secondary }) };
}
