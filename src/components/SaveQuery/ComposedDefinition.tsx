import React from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, LoadingPlaceholder, useStyles2 } from '@grafana/ui';
import type { ComposedParameter, ComposeResource } from '#contract/plugin/saving';
import type { Answer } from '../use-answer';
import { formatProblem } from '../../language/problems/format-problem';
import { DefinitionPreview } from './DefinitionPreview';

/** The definition before it is saved: its query with its problem, its parameters and notes. */
export function ComposedDefinition({ composed }: { readonly composed: Answer<ComposeResource> }) {
  const styles = useStyles2(getStyles);
  const { value, failure, isLoading } = composed;
  return (
    <div>
      <div className={styles.heading}>Definition</div>
      {failure && (
        <Alert severity="error" title="This text cannot be saved">
          {formatProblem(failure)}
        </Alert>
      )}
      {!value && isLoading && <LoadingPlaceholder text="Checking the definition…" />}
      {value && (
        <>
          <DefinitionPreview
            sql={value.definition.query.trimEnd()}
            label="Query of the definition"
            height={260}
            problem={value.problem}
          />
          <ParameterNames parameters={value.parameters} />
          {value.notes.map((each) => (
            <p key={each} className={styles.note}>
              {each}
            </p>
          ))}
        </>
      )}
    </div>
  );
}

function ParameterNames({ parameters }: { readonly parameters: readonly ComposedParameter[] }) {
  const styles = useStyles2(getStyles);
  return (
    <p className={styles.parameters}>
      {parameters.length === 0 ? 'No parameters.' : 'Parameters: '}
      {parameters.map(({ name, required }, at) => (
        <React.Fragment key={name}>
          {at > 0 && ', '}
          <code>{name}</code>
          {!required && ' (optional)'}
        </React.Fragment>
      ))}
    </p>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    heading: css({ fontWeight: theme.typography.fontWeightMedium, marginBottom: theme.spacing(0.5) }),
    parameters: css({ color: theme.colors.text.secondary, margin: theme.spacing(1, 0) }),
    note: css({ color: theme.colors.warning.text, margin: theme.spacing(0.5, 0) }),
  };
}
