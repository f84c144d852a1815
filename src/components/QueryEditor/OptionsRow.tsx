import React from 'react';
import { InlineField, InlineSwitch, Input, RadioButtonGroup } from '@grafana/ui';
import type { QueryFormat } from '#contract/plugin/query';
import type { EndpointSummary } from '#contract/plugin/resources';
import { rowLimit } from '../../query/row-limit';
import type { LogEndpointsOptions, LogEndpointsQuery } from '../../types';
import { FlexRow } from '../compat/Flex';
import { LABEL_WIDTH } from './EndpointField';

const FORMATS: Array<{ value: QueryFormat; label: string; description: string }> = [
  { value: 'auto', label: 'Auto', description: 'By the columns that come back' },
  { value: 'time_series', label: 'Time series', description: 'A time and numbers' },
  { value: 'table', label: 'Table', description: 'Rows as they are' },
  { value: 'logs', label: 'Logs', description: 'A time and a message' },
];

const FILLS: Array<{ value: NonNullable<LogEndpointsQuery['fill']>; label: string; description: string }> = [
  { value: 'gap', label: 'Gap', description: 'Nothing is drawn' },
  {
    value: 'zero',
    label: 'Zero',
    description: 'Counts and sums are zero in a bucket without rows, where the width of the buckets is known',
  },
];

interface Props {
  readonly query: LogEndpointsQuery;
  readonly endpoint: EndpointSummary | undefined;
  /** Options of the data source. */
  readonly options: LogEndpointsOptions;
  readonly onChange: (changed: Partial<LogEndpointsQuery>) => void;
  readonly onCommit: (changed: Partial<LogEndpointsQuery>) => void;
}

export function OptionsRow({ query, endpoint, options, onChange, onCommit }: Props) {
  const isAlways = options.redactPii === true || endpoint?.redact_pii === true;
  const { maxRows: _, ...unlimited } = query;
  const placeholder = endpoint && rowLimit(unlimited, endpoint, options).rows.toLocaleString('en-US');
  return (
    <FlexRow>
      <InlineField label="Format" labelWidth={LABEL_WIDTH}>
        <RadioButtonGroup
          aria-label="Format"
          options={FORMATS}
          value={query.format ?? 'auto'}
          onChange={(format) => onCommit({ format })}
        />
      </InlineField>
      {mayHaveBuckets(query) && (
        <InlineField label="Empty buckets">
          <RadioButtonGroup
            aria-label="Empty buckets"
            options={FILLS}
            value={query.fill ?? 'gap'}
            onChange={(fill) => onCommit({ fill })}
          />
        </InlineField>
      )}
      <InlineField
        label="Redact personal data"
        htmlFor={`lqe-redact-${query.refId}`}
        disabled={isAlways}
        tooltip={isAlways ? 'The data source or the endpoint redacts every answer.' : undefined}
      >
        <InlineSwitch
          id={`lqe-redact-${query.refId}`}
          value={isAlways || query.redactPii === true}
          onChange={({ currentTarget }) => onCommit({ redactPii: currentTarget.checked || undefined })}
        />
      </InlineField>
      <InlineField
        label="Row limit"
        htmlFor={`lqe-rows-${query.refId}`}
        tooltip={
          endpoint
            ? `The endpoint allows ${endpoint.max_rows.toLocaleString('en-US')}; a higher number does not raise that.`
            : undefined
        }
      >
        <Input
          id={`lqe-rows-${query.refId}`}
          type="number"
          min={1}
          width={12}
          placeholder={placeholder}
          value={query.maxRows ?? ''}
          onChange={({ currentTarget }) => onChange({ maxRows: rowsOf(currentTarget.value) })}
          onBlur={({ currentTarget }) => onCommit({ maxRows: rowsOf(currentTarget.value) })}
        />
      </InlineField>
    </FlexRow>
  );
}

/** Whether the query may have buckets. For a saved query this is known only from its result. */
function mayHaveBuckets({ format, mode, sql, lql, params }: LogEndpointsQuery): boolean {
  if (format === 'time_series') return true;
  if (format === 'logs' || format === 'table') return false;
  if (mode === 'sql') return /\$__timeGroup|_TRUNC\s*\(/i.test(sql ?? '');
  return mode === 'lql' ? /(?:^|\s)(?:c|chart):/.test(lql ?? '') : params?.['interval'] !== undefined;
}

function rowsOf(text: string): number | undefined {
  const rows = Math.floor(Number(text));
  return rows >= 1 ? rows : undefined;
}
