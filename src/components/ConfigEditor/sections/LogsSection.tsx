import React from 'react';
import { NumberField, TextField } from '../fields';
import { LevelRules } from './LevelRules';
import { Section, summaryOf } from './Section';
import { settingChanges, type ConfigEditorProps } from '../setting-changes';

export function LogsSection(props: ConfigEditorProps) {
  const { jsonData, readOnly } = props.options;
  const { setOptions } = settingChanges(props);
  const { logs } = jsonData;
  const rules = logs?.levelRules;
  return (
    <Section
      title="Logs"
      summary={summaryOf([
        logs?.levelField && `level in ${logs.levelField}`,
        rules &&
          (rules.length === 0 ? 'no level rules' : `${rules.length} level ${rules.length === 1 ? 'rule' : 'rules'}`),
        logs?.defaultLimit !== undefined && `${logs.defaultLimit.toLocaleString('en-US')} rows`,
      ])}
    >
      <TextField
        id="lqe-level"
        label="Level field"
        description="Where a log event has its level: a dotted path in the metadata, such as parsed.error_severity, or a column."
        value={logs?.levelField}
        readOnly={readOnly}
        onChange={(levelField) => setOptions({ logs: { ...logs, levelField } })}
      />
      <LevelRules
        rules={rules}
        readOnly={readOnly}
        onChange={(levelRules) => setOptions({ logs: { ...logs, levelRules } })}
      />
      <NumberField
        id="lqe-limit"
        label="Rows of a log query"
        description="Unless the query says otherwise. More than 1000 slow the browser down."
        placeholder="1000"
        value={logs?.defaultLimit}
        readOnly={readOnly}
        onChange={(defaultLimit) => setOptions({ logs: { ...logs, defaultLimit } })}
      />
    </Section>
  );
}
