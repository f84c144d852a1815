import React from 'react';
import { Button, InlineField } from '@grafana/ui';
import { filterValues } from '#contract/plugin/field-filter';
import { unescapeVariables } from '#contract/plugin/literal-text';
import type { FieldFilter } from '#contract/plugin/query';
import { FlexRow } from '../compat/Flex';
import { LABEL_WIDTH } from './EndpointField';

const SIGNS: Readonly<Record<FieldFilter['operator'], string>> = {
  '=': '=',
  '!=': '≠',
  '=~': 'matches',
  '!~': 'does not match',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  '=|': 'is one of',
  '!=|': 'is none of',
};

export function filterText({ field, operator, value }: FieldFilter): string {
  return `${field} ${SIGNS[operator]} ${filterValues(operator, unescapeVariables(value)).join(', ')}`;
}

interface Props {
  readonly filters: readonly FieldFilter[];
  readonly onChange: (filters: FieldFilter[]) => void;
}

/** Filters added from the details of a log line; they apply in addition to the text. */
export function FilterChips({ filters, onChange }: Props) {
  if (filters.length === 0) return null;
  return (
    <InlineField label="Filters" labelWidth={LABEL_WIDTH}>
      <FlexRow>
        {filters.map((filter) => {
          const text = filterText(filter);
          return (
            <Button
              key={text}
              size="sm"
              variant="secondary"
              icon="times"
              aria-label={`Remove the filter ${text}`}
              onClick={() => onChange(filters.filter((each) => each !== filter))}
            >
              {text}
            </Button>
          );
        })}
      </FlexRow>
    </InlineField>
  );
}
