import React from 'react';
import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { DataSourcePicker } from '@grafana/runtime';
import { Button, Field, Input, useStyles2 } from '@grafana/ui';
import { derivedFieldProblem } from '../../../logs/derived-fields';
import type { DerivedField } from '../../../types';
import { FlexRow } from '../../compat/Flex';
import { Section, summaryOf } from './Section';
import { settingChanges, type ConfigEditorProps } from '../setting-changes';

type TextKey = Exclude<keyof DerivedField, 'datasourceUid'>;

const TEXTS: ReadonlyArray<{ key: TextKey; label: string; placeholder: string; width: number }> = [
  { key: 'name', label: 'Name', placeholder: 'Trace', width: 16 },
  { key: 'label', label: 'Label', placeholder: 'empty: the message', width: 24 },
  { key: 'regex', label: 'Regular expression', placeholder: 'trace=(\\w+)', width: 24 },
  { key: 'url', label: 'URL or query', placeholder: 'https://…/${__value.raw}', width: 36 },
  { key: 'title', label: 'Text of the link', placeholder: 'Open the trace', width: 20 },
];

/** Links in the details of log lines. */
export function LinksSection(props: ConfigEditorProps) {
  const { jsonData, readOnly } = props.options;
  const { setOptions } = settingChanges(props);
  const fields = jsonData.logs?.derivedFields ?? [];
  const set = (derivedFields: DerivedField[]) => setOptions({ logs: { ...jsonData.logs, derivedFields } });
  const change = (at: number, changed: Partial<DerivedField>) =>
    set(fields.map((field, place) => (place === at ? { ...field, ...changed } : field)));
  return (
    <Section
      title="Links"
      summary={summaryOf([fields.length > 0 && `${fields.length} ${fields.length === 1 ? 'link' : 'links'}`])}
      description="From the value of a label, or from what a regular expression finds in the message, to a page or to a query of another data source. ${__value.raw} is the value."
    >
      {fields.map((field, at) => (
        <LinkFields
          key={at}
          at={at}
          field={field}
          readOnly={readOnly}
          onChange={(changed) => change(at, changed)}
          onRemove={() => set(fields.filter((_, place) => place !== at))}
        />
      ))}
      <Button variant="secondary" icon="plus" disabled={readOnly} onClick={() => set([...fields, { name: '' }])}>
        Add link
      </Button>
    </Section>
  );
}

interface LinkProps {
  readonly at: number;
  readonly field: DerivedField;
  readonly readOnly: boolean | undefined;
  readonly onChange: (changed: Partial<DerivedField>) => void;
  readonly onRemove: () => void;
}

function LinkFields({ at, field, readOnly, onChange, onRemove }: LinkProps) {
  const styles = useStyles2(getStyles);
  const problem = derivedFieldProblem(field);
  return (
    <fieldset className={styles.link} aria-label={`Link ${at + 1}`} disabled={readOnly}>
      <FlexRow align="end">
        {TEXTS.map(({ key, label, placeholder, width }) => (
          <Field key={key} label={label} className={styles.field}>
            <Input
              id={`lqe-link-${at}-${key}`}
              width={width}
              placeholder={placeholder}
              value={field[key] ?? ''}
              onChange={({ currentTarget }) => onChange({ [key]: currentTarget.value })}
            />
          </Field>
        ))}
        <Field label="Data source" className={styles.field}>
          <DataSourcePicker
            inputId={`lqe-link-${at}-source`}
            noDefault
            placeholder="none: a page"
            current={field.datasourceUid ?? null}
            onChange={({ uid }) => onChange({ datasourceUid: uid })}
            onClear={() => onChange({ datasourceUid: undefined })}
          />
        </Field>
        <Button variant="secondary" icon="trash-alt" aria-label={`Remove link ${at + 1}`} onClick={onRemove} />
      </FlexRow>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function getStyles(theme: GrafanaTheme2) {
  return {
    link: css({ border: 0, padding: 0, margin: theme.spacing(0, 0, 2), minWidth: 0 }),
    field: css({ marginBottom: 0 }),
    problem: css({ color: theme.colors.error.text, margin: theme.spacing(0.5, 0, 0) }),
  };
}
