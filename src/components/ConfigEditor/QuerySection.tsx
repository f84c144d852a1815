import React from 'react';
import { NumberField, TextField, ToggleField } from './fields';
import { Section } from './Section';
import { settingChanges, type ConfigEditorProps } from './setting-changes';

export function QuerySection(props: ConfigEditorProps) {
  const { jsonData, readOnly } = props.options;
  const { setOptions } = settingChanges(props);
  return (
    <Section title="Queries" description="What holds for every query of this data source.">
      <ToggleField
        id="lqe-redact"
        label="Redact personal data"
        description="Every answer is redacted. A query may ask for redaction too, and none can turn it off."
        value={jsonData.redactPii}
        readOnly={readOnly}
        onChange={(redactPii) => setOptions({ redactPii })}
      />
      <TextField
        id="lqe-project"
        label="Default project"
        description="Fills the parameter “project” of queries that leave it empty."
        value={jsonData.defaultProject}
        readOnly={readOnly}
        onChange={(defaultProject) => setOptions({ defaultProject })}
      />
      <TextField
        id="lqe-level"
        label="Level field"
        description="Dotted path in the metadata that holds the level of a log event, such as parsed.error_severity."
        value={jsonData.logs?.levelField}
        readOnly={readOnly}
        onChange={(levelField) => setOptions({ logs: { ...jsonData.logs, levelField } })}
      />
      <NumberField
        id="lqe-limit"
        label="Rows of a log query"
        description="Unless the query says otherwise. More than 1000 slow the browser down."
        placeholder="1000"
        value={jsonData.logs?.defaultLimit}
        readOnly={readOnly}
        onChange={(defaultLimit) => setOptions({ logs: { ...jsonData.logs, defaultLimit } })}
      />
    </Section>
  );
}
