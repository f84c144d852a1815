import React, { useState } from 'react';
import { css } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, LoadingPlaceholder, useStyles2 } from '@grafana/ui';
import type { RevisionSummary } from '#contract/plugin/saving';
import type { SavingApi } from '../../api/saving-api';
import { useAnswer } from '../use-answer';
import { formatProblem } from '../../language/problems/format-problem';
import { authorOf, noteOf } from '../../saving/author';

interface Props {
  readonly id: string;
  readonly saving: SavingApi;
}

/** Revisions, newest first, a page at a time. */
export function RevisionList({ id, saving }: Props) {
  const styles = useStyles2(getStyles);
  const [earlier, setEarlier] = useState<readonly RevisionSummary[]>([]);
  const [cursor, setCursor] = useState<string>();
  const page = useAnswer(() => saving.revisions(id, cursor === undefined ? {} : { cursor }), `${id} ${cursor ?? ''}`);
  const shown = [...earlier, ...(page.value?.revisions ?? [])];
  const next = page.value?.next ?? null;
  return (
    <>
      <ol className={styles.list}>
        {shown.map((each) => (
          <li key={each.revision}>
            <strong>{each.revision}</strong> {ACTIONS[each.action] ?? each.action} {dateTimeFormat(each.time)} by{' '}
            {authorOf(each)}
            {each.changed.length > 0 && <span className={styles.changed}> · {each.changed.join(', ')}</span>}
            {noteOf(each) && <div>{noteOf(each)}</div>}
          </li>
        ))}
      </ol>
      {page.isLoading && <LoadingPlaceholder text="Reading the history…" />}
      {page.failure && (
        <Alert severity="error" title="The history cannot be read">
          {formatProblem(page.failure)}
        </Alert>
      )}
      {next !== null && (
        <Button
          size="sm"
          variant="secondary"
          onClick={() => {
            setEarlier(shown);
            setCursor(next);
          }}
        >
          Earlier revisions
        </Button>
      )}
    </>
  );
}

const ACTIONS: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  restore: 'restored',
  delete: 'deleted',
};

function getStyles(theme: GrafanaTheme2) {
  return {
    list: css({ listStyle: 'none', margin: theme.spacing(0, 0, 1), li: { padding: theme.spacing(0.5, 0) } }),
    changed: css({ color: theme.colors.text.secondary }),
  };
}
