import React from 'react';
import { Field, Input, Switch } from '@grafana/ui';
import { wholeNumber } from './ConnectionSection';
import { Section } from './Section';
import { settingChanges, type ConfigEditorProps } from './setting-changes';

export function QuerySection(props: ConfigEditorProps) {
  const { jsonData, readOnly } = props.options;
  const { setOptions } = settingChanges(props);
  return (
    <Section title="Queries" description="What holds for every query of this data source.">
      <Field
        label="Redact personal data"
        description="Every answer is redacted. A query may ask for redaction too, and none can turn it off."
      >
        <Switch
          id="lqe-redact"
          value={jsonData.redactPii ?? false}
          disabled={readOnly}
          onChange={({ currentTarget }) => setOptions({ redactPii: currentTarget.checked })}
        />
      </Field>
      <Field label="Default project" description="Fills the parameter “project” of queries that leave it empty.">
        <Input
          id="lqe-project"
          value={jsonData.defaultProject ?? ''}
          disabled={readOnly}
          onChange={({ currentTarget }) => setOptions({ defaultProject: currentTarget.value || undefined })}
        />
      </Field>
      <Field
        label="Level field"
        description="Dotted path in the metadata that holds the level of a log event, such as parsed.error_severity."
      >
        <Input
          id="lqe-level"
          value={jsonData.logs?.levelField ?? ''}
          disabled={readOnly}
          onChange={({ currentTarget }) =>
            setOptions({ logs: { ...jsonData.logs, levelField: currentTarget.value || undefined } })
          }
        />
      </Field>
      <Field
        label="Rows of a log query"
        description="Unless the query says otherwise. More than 1000 slow the browser down."
      >
        <Input
          id="lqe-limit"
          type="number"
          min={1}
          width={20}
          placeholder="1000"
          value={jsonData.logs?.defaultLimit ?? ''}
          disabled={readOnly}
          onChange={({ currentTarget }) =>
            setOptions({ logs: { ...jsonData.logs, defaultLimit: wholeNumber(currentTarget.value) } })
          }
        />
      </Field>
    </Section>
  );
}
