import React from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, LoadingPlaceholder, useStyles2 } from '@grafana/ui';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { EndpointCatalog } from '../../api/endpoint-catalog';
import type { SavingApi } from '../../api/saving-api';
import { useAnswer } from '../use-answer';
import { formatProblem } from '../../language/problems/format-problem';
import { DefinitionPreview } from '../SaveQuery/DefinitionPreview';
import { RevisionList } from './RevisionList';

interface Props {
  readonly endpoint: EndpointSummary;
  readonly catalog: EndpointCatalog;
  readonly saving: SavingApi;
}

const LINE_HEIGHT = 18;
const MAX_LINES = 20;

/** Definition and history of one saved query. */
export function SavedQueryDetail({ endpoint, catalog, saving }: Props) {
  const styles = useStyles2(getStyles);
  const detail = useAnswer(() => catalog.endpoint(endpoint.id), `${endpoint.id} ${endpoint.revision}`);
  const sql = detail.value?.endpoint.query.trimEnd() ?? '';
  return (
    <div>
      {detail.isLoading && <LoadingPlaceholder text="Reading the definition…" />}
      {detail.failure && (
        <Alert severity="error" title="The definition cannot be read">
          {formatProblem(detail.failure)}
        </Alert>
      )}
      {detail.value && (
        <DefinitionPreview
          sql={sql}
          label={`Query of ${endpoint.name}`}
          height={Math.min(sql.split('\n').length + 1, MAX_LINES) * LINE_HEIGHT}
        />
      )}
      <dl className={styles.facts}>
        <dt>Parameters</dt>
        <dd>{endpoint.parameters.map(({ name, required }) => `${name}${required ? '' : '?'}`).join(', ') || 'none'}</dd>
        <dt>Maximum rows</dt>
        <dd>{endpoint.max_rows.toLocaleString('en-US')}</dd>
        <dt>Ad-hoc queries</dt>
        <dd>{endpoint.sandbox ? 'SQL and LQL may read its tables' : 'no'}</dd>
      </dl>
      <h6>History</h6>
      {endpoint.origin === 'api' ? (
        <RevisionList id={endpoint.id} saving={saving} />
      ) : (
        <p className={styles.none}>
          A file of the service defines this saved query; its history is where the file is kept.
        </p>
      )}
    </div>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    facts: css({
      display: 'grid',
      gridTemplateColumns: 'max-content 1fr',
      gap: theme.spacing(0.5, 2),
      margin: theme.spacing(2, 0),
      dt: { color: theme.colors.text.secondary, fontWeight: theme.typography.fontWeightRegular },
      dd: { margin: 0 },
    }),
    none: css({ color: theme.colors.text.secondary }),
  };
}
