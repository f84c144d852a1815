import React from 'react';
import { TextField, ToggleField } from '../fields';
import { Section, summaryOf } from './Section';
import { settingChanges, type ConfigEditorProps } from '../setting-changes';

export function QuerySection(props: ConfigEditorProps) {
  const { jsonData, readOnly } = props.options;
  const { setOptions } = settingChanges(props);
  return (
    <Section
      title="Queries"
      description="What holds for every query of this data source."
      summary={summaryOf([
        jsonData.redactPii && 'redacts personal data',
        jsonData.defaultProject && `project ${jsonData.defaultProject}`,
      ])}
    >
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
    </Section>
  );
}
