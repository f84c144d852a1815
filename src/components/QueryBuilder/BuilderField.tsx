import React, { useState } from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, ConfirmModal, useStyles2 } from '@grafana/ui';
import type { EndpointResource } from '#contract/plugin/resources';
import { complete, newestRows } from '../../builder/defaults';
import type { BuilderLanguage } from '../../builder/fields';
import type { BuilderModel, ReadResult } from '../../builder/model';
import { printLql } from '../../builder/lql/print-lql';
import { printSql } from '../../builder/sql/print-sql';
import { readLql } from '../../builder/lql/read-lql';
import { readSql } from '../../builder/sql/read-sql';
import { FlexRow } from '../compat/Flex';
import { QueryBuilder } from './QueryBuilder';

interface Props {
  readonly refId: string;
  readonly mode: BuilderLanguage;
  readonly text: string;
  /** Undefined while loading, and if the service is unreachable. */
  readonly detail: EndpointResource | undefined;
  /** Error if the detail could not be loaded. */
  readonly failure: string | undefined;
  readonly onRun: (text: string) => void;
  readonly onCode: () => void;
}

/** Builder for a text that it can read; other texts are shown unchanged, with the reason. */
export function BuilderField({ refId, mode, text, detail, failure, onRun, onCode }: Props) {
  const styles = useStyles2(getStyles);
  const [draft, setDraft] = useState<{ readonly text: string; readonly model: BuilderModel }>();
  const [isAsking, setAsking] = useState(false);
  const tables = detail?.tables ?? [];
  const [first] = tables;
  if (!detail || !first) {
    const why = failure ?? (detail ? 'The endpoint has no tables for queries of your own.' : undefined);
    return <Shown text={text}>{why ?? 'Loading the tables…'}</Shown>;
  }
  const change = (model: BuilderModel) => {
    const printed = printText(mode, model);
    setDraft({ text: printed, model });
    if (printed !== text) onRun(printed);
  };
  // Incomplete filters exist in the draft only, which is kept as long as the text is the one that it printed.
  const read: ReadResult =
    draft?.text === text
      ? draft
      : text.trim() === ''
        ? { model: newestRows(first, mode) }
        : readText(mode, text, detail);
  if ('model' in read)
    return (
      <>
        <QueryBuilder refId={refId} language={mode} tables={tables} model={read.model} onChange={change} />
        <pre className={styles.text} aria-label="Text of the query">
          {text || printText(mode, read.model)}
        </pre>
      </>
    );
  return (
    <>
      <Alert severity="info" title="The builder cannot show this query">
        <FlexRow align="center">
          {read.why}
          <Button size="sm" variant="secondary" onClick={onCode}>
            Edit as code
          </Button>
          <Button size="sm" variant="secondary" fill="outline" onClick={() => setAsking(true)}>
            Start over in the builder
          </Button>
        </FlexRow>
      </Alert>
      <Shown text={text} />
      <ConfirmModal
        isOpen={isAsking}
        title="Start over in the builder"
        body="The text of this query is replaced by a new query, and is lost."
        confirmText="Replace the text"
        onConfirm={() => {
          setAsking(false);
          change(newestRows(first, mode));
        }}
        onDismiss={() => setAsking(false)}
      />
    </>
  );
}

function Shown({ text, children }: { readonly text: string; readonly children?: string }) {
  const styles = useStyles2(getStyles);
  return (
    <>
      {children && <p className={styles.reason}>{children}</p>}
      {text && (
        <pre className={styles.text} aria-label="Text of the query">
          {text}
        </pre>
      )}
    </>
  );
}

export function printText(mode: BuilderLanguage, model: BuilderModel): string {
  return mode === 'sql' ? printSql(complete(model)) : printLql(complete(model));
}

function readText(mode: BuilderLanguage, text: string, { tables, endpoint }: EndpointResource): ReadResult {
  return mode === 'sql' ? readSql(text, tables) : readLql(text, tables, endpoint.default_table);
}

function getStyles(theme: GrafanaTheme2) {
  return {
    text: css({ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', margin: theme.spacing(0.5, 0, 1) }),
    reason: css({ color: theme.colors.text.secondary }),
  };
}
