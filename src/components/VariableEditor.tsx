import React, { useState } from 'react';
import type { QueryEditorProps } from '@grafana/data';
import { InlineField, Input, RadioButtonGroup } from '@grafana/ui';
import type { EditorDataSource } from './editor-data-source';
import type { LogEndpointsOptions, LogEndpointsQuery, VariableQuery } from '../types';
import { FlexRow } from './compat/Flex';
import { LABEL_WIDTH } from './QueryEditor/EndpointField';
import { QueryEditor } from './QueryEditor/QueryEditor';

type Listed = NonNullable<NonNullable<VariableQuery['variable']>['list']>;
type Props = QueryEditorProps<EditorDataSource, LogEndpointsQuery, LogEndpointsOptions, VariableQuery>;

const LISTS: Array<{ value: Listed; label: string; description: string }> = [
  { value: 'query', label: 'Query', description: 'The values of a column' },
  { value: 'endpoints', label: 'Endpoints', description: 'The names of the endpoints' },
  { value: 'parameter', label: 'Parameter', description: 'The values that a parameter offers' },
];

export function VariableEditor({ query, onChange, onRunQuery, ...rest }: Props) {
  const [atFocus, setAtFocus] = useState('');
  const variable = query.variable ?? {};
  const list = variable.list ?? 'query';
  const change = (changed: Partial<typeof variable>) => onChange({ ...query, variable: { ...variable, ...changed } });
  const text = (key: 'valueField' | 'labelField' | 'parameter', label: string, tooltip: string) => (
    <InlineField label={label} labelWidth={LABEL_WIDTH} htmlFor={`lqe-variable-${key}`} tooltip={tooltip}>
      <Input
        id={`lqe-variable-${key}`}
        width={30}
        value={variable[key] ?? ''}
        onChange={({ currentTarget }) => change({ [key]: currentTarget.value || undefined })}
        onFocus={({ currentTarget }) => setAtFocus(currentTarget.value)}
        onBlur={({ currentTarget }) => currentTarget.value !== atFocus && onRunQuery()}
      />
    </InlineField>
  );
  return (
    <>
      <InlineField label="Options" labelWidth={LABEL_WIDTH}>
        <RadioButtonGroup
          aria-label="Options"
          options={LISTS}
          value={list}
          onChange={(picked) => {
            change({ list: picked });
            if (picked === 'endpoints') onRunQuery();
          }}
        />
      </InlineField>
      {list === 'parameter' && text('parameter', 'Parameter', 'The name of a parameter of the endpoint below')}
      {list !== 'endpoints' && (
        <QueryEditor
          {...rest}
          query={query}
          onChange={(changed) => onChange({ ...changed, variable: query.variable })}
          onRunQuery={onRunQuery}
        />
      )}
      {list === 'query' && (
        <FlexRow>
          {text('valueField', 'Value column', 'Without one: the first column of texts')}
          {text('labelField', 'Label column', 'What is shown; without one the value')}
        </FlexRow>
      )}
    </>
  );
}
