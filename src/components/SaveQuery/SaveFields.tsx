import React from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Checkbox, Field, Input, TextArea, useStyles2 } from '@grafana/ui';
import { MAX_CACHE_SECONDS, MAX_NOTE_LENGTH, MAX_SAVED_ROWS } from '#contract/plugin/endpoint-name';
import type { EndpointSummary } from '#contract/plugin/resources';
import { FlexRow } from '../compat/Flex';
import type { Form } from './use-form';

/** Fields of the form: name, description, limits, note, and which variables become parameters. */
export function SaveFields({ form }: { readonly form: Form }) {
  const { existing, description, note, variables, change } = form;
  return (
    <div>
      <NameField {...form} />
      {existing && <ExistingNotice existing={existing} />}
      <Field label="Description">
        <TextArea
          id="lqe-save-description"
          rows={2}
          value={description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
      </Field>
      <LimitFields {...form} />
      <Field label="Note" description="For the history; your login is added.">
        <Input
          id="lqe-save-note"
          value={note}
          maxLength={MAX_NOTE_LENGTH}
          onChange={({ currentTarget }) => change({ note: currentTarget.value })}
        />
      </Field>
      {variables.length > 0 && <VariableChoices {...form} />}
    </div>
  );
}

function NameField({ name, badName, change }: Pick<Form, 'name' | 'badName' | 'change'>) {
  return (
    <Field
      label="Name"
      description="It is called as /api/endpoints/query/<name>."
      invalid={name !== '' && badName !== undefined}
      error={badName}
    >
      <Input
        id="lqe-save-name"
        value={name}
        placeholder="edge.slow-requests"
        onChange={({ currentTarget }) => change({ name: currentTarget.value.trim() })}
      />
    </Field>
  );
}

function ExistingNotice({ existing }: { readonly existing: EndpointSummary }) {
  const styles = useStyles2(getStyles);
  return (
    <p role="status" className={styles.status}>
      {existing.name} is at revision {existing.revision}. Saving makes it revision {existing.revision + 1}.
    </p>
  );
}

type Limits = Pick<Form, 'rowsText' | 'rows' | 'cacheText' | 'seconds' | 'change'>;

function LimitFields({ rowsText, rows, cacheText, seconds, change }: Limits) {
  return (
    <FlexRow>
      <Field
        label="Maximum rows"
        invalid={rows === undefined}
        error={`A whole number from 1 to ${MAX_SAVED_ROWS.toLocaleString('en-US')}.`}
      >
        <Input
          id="lqe-save-rows"
          width={16}
          value={rowsText}
          onChange={({ currentTarget }) => change({ maxRows: currentTarget.value })}
        />
      </Field>
      <Field
        label="Cache"
        invalid={seconds === undefined}
        error={`Empty, or 1 to ${MAX_CACHE_SECONDS.toLocaleString('en-US')} seconds.`}
      >
        <Input
          id="lqe-save-cache"
          width={16}
          value={cacheText}
          placeholder="none"
          suffix="s"
          onChange={({ currentTarget }) => change({ cacheSeconds: currentTarget.value })}
        />
      </Field>
    </FlexRow>
  );
}

function VariableChoices({ variables, toggleVariable }: Pick<Form, 'variables' | 'toggleVariable'>) {
  return (
    <Field label="Variables" description="A variable that is no parameter keeps the value it has now.">
      <div>
        {variables.map(({ name, whyNot, isParameter }) => (
          <Checkbox
            key={name}
            label={`$${name} becomes a parameter`}
            description={whyNot && `Not possible: ${whyNot}.`}
            disabled={whyNot !== undefined}
            value={isParameter}
            onChange={() => toggleVariable(name)}
          />
        ))}
      </div>
    </Field>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return { status: css({ color: theme.colors.text.secondary, margin: theme.spacing(1, 0) }) };
}
