import React from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, Modal, useStyles2 } from '@grafana/ui';
import type { EndpointSummary } from '#contract/plugin/resources';
import type { EditorDataSource } from '../editor-data-source';
import { formatProblem } from '../../language/problems/format-problem';
import { savedQueryOf } from '../../saving/saved-query-panel';
import type { LogEndpointsQuery } from '../../types';
import { composeRequest } from './compose-request';
import { ComposedDefinition } from './ComposedDefinition';
import { SavedNotice } from './SavedNotice';
import { SaveFields } from './SaveFields';
import { useComposed } from './use-composed';
import { useForm } from './use-form';
import { useSave } from './use-save';

interface Props {
  readonly datasource: EditorDataSource;
  readonly query: LogEndpointsQuery;
  readonly endpoint: EndpointSummary;
  readonly intervalMs: number | undefined;
  readonly onUse: (changed: Partial<LogEndpointsQuery>) => void;
  readonly onDismiss: () => void;
}

/** Form that makes a saved query of the text: name, limits, parameters, and the definition before it is saved. */
export function SaveQueryModal({ datasource, query, endpoint, intervalMs, onUse, onDismiss }: Props) {
  const styles = useStyles2(getStyles);
  const form = useForm(datasource, query, endpoint);
  const request = composeRequest({ datasource, query, endpoint, intervalMs }, form);
  const composed = useComposed(datasource.saving, request);
  const { note, existing, reload } = form;
  const change = { composed: composed.value, note, existing, onFailure: reload };
  const { saved, failure, isSaving, save } = useSave(datasource.saving, change);
  const isValid = !composed.isLoading && composed.value !== undefined && !composed.value.problem;
  const canSave = form.badName === undefined && !form.isLoading && isValid;
  // One modal for both: a second one would open again and move the focus.
  return (
    <Modal isOpen title={saved ? 'Saved' : 'Save as saved query'} onDismiss={onDismiss} className={styles.modal}>
      {saved ? (
        <SavedNotice
          endpoint={saved.endpoint}
          uid={datasource.uid}
          onUse={() => onUse(savedQueryOf(saved.endpoint, saved.parameters, query))}
          onDismiss={onDismiss}
        />
      ) : (
        <>
          <div className={styles.columns}>
            <SaveFields form={form} />
            <ComposedDefinition composed={composed} />
          </div>
          {failure && (
            <Alert severity="error" title="It is not saved">
              {formatProblem(failure)}
            </Alert>
          )}
          <SaveFooter
            existing={existing}
            canSave={canSave}
            isSaving={isSaving}
            onSave={() => void save()}
            onDismiss={onDismiss}
          />
        </>
      )}
    </Modal>
  );
}

interface FooterProps {
  readonly existing: EndpointSummary | undefined;
  readonly canSave: boolean;
  readonly isSaving: boolean;
  readonly onSave: () => void;
  readonly onDismiss: () => void;
}

function SaveFooter({ existing, canSave, isSaving, onSave, onDismiss }: FooterProps) {
  return (
    <Modal.ButtonRow>
      <Button variant="secondary" fill="outline" onClick={onDismiss}>
        Cancel
      </Button>
      <Button icon={isSaving ? 'fa fa-spinner' : 'save'} disabled={!canSave || isSaving} onClick={onSave}>
        {existing ? `Save revision ${existing.revision + 1}` : 'Save'}
      </Button>
    </Modal.ButtonRow>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    modal: css({ width: 'min(1100px, 95vw)' }),
    columns: css({
      display: 'grid',
      gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 3fr)',
      gap: theme.spacing(3),
      [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
    }),
  };
}
