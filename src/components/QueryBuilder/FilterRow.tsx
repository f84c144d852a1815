import React from 'react';
import { Button } from '@grafana/ui';
import { operatorsOf, type BuilderField, type BuilderLanguage } from '../../builder/fields';
import { filterOn } from '../../builder/defaults';
import {
  NUMBER,
  samePath,
  VARIABLE,
  type BuilderFilter,
  type FilterOperator,
  type FilterValue,
} from '../../builder/model';
import { FlexRow } from '../compat/Flex';
import { Picker } from '../compat/Picker';
import { CommitInput } from './CommitInput';
import { FieldPicker } from './FieldPicker';
import { printList, readList } from './value-list';

interface Props {
  readonly id: string;
  readonly language: BuilderLanguage;
  readonly fields: readonly BuilderField[];
  readonly filter: BuilderFilter;
  readonly number: number;
  readonly onChange: (filter: BuilderFilter) => void;
  readonly onRemove: () => void;
}

const WORDS: Readonly<Record<FilterOperator, string>> = {
  '=': '=',
  '!=': '≠',
  '>': '>',
  '>=': '≥',
  '<': '<',
  '<=': '≤',
  contains: 'contains',
  'not contains': 'does not contain',
  matches: 'matches regex',
  'not matches': 'does not match regex',
  in: 'is one of',
  'not in': 'is not one of',
  includes: 'includes',
  'not includes': 'does not include',
  null: 'is null',
  'not null': 'is not null',
};

export function FilterRow({ id, language, fields, filter, number, onChange, onRemove }: Props) {
  const field = fields.find(({ path }) => samePath(path, filter.path));
  const operators = field ? operatorsOf(field, language) : [filter.operator];
  const takesNone = filter.operator === 'null' || filter.operator === 'not null';
  const takesMany = filter.operator === 'in' || filter.operator === 'not in';
  return (
    <FlexRow align="center">
      <FieldPicker
        id={`${id}-field`}
        label={`Field of filter ${number}`}
        fields={fields}
        value={filter.path}
        onChange={(picked) => onChange(filterOn(picked, language, filter))}
      />
      <Picker
        id={`${id}-operator`}
        aria-label={`Operator of filter ${number}`}
        width={20}
        options={operators.map((each) => ({ value: each, label: WORDS[each] }))}
        value={filter.operator}
        onChange={(operator) => onChange({ ...filter, operator, values: valuesFor(operator, filter.values) })}
      />
      {!takesNone && (
        <CommitInput
          key={`${filter.path.join('.')} ${takesMany}`}
          id={`${id}-value`}
          aria-label={`Value of filter ${number}`}
          width={30}
          placeholder={placeholderOf(field, takesMany)}
          value={takesMany ? printList(filter.values) : (filter.values[0]?.text ?? '')}
          onCommit={(text) =>
            onChange({ ...filter, values: (takesMany ? readList(text) : [text]).map((each) => valueOf(each, field)) })
          }
        />
      )}
      <Button variant="secondary" fill="text" icon="times" aria-label={`Remove filter ${number}`} onClick={onRemove} />
    </FlexRow>
  );
}

function valueOf(text: string, field: BuilderField | undefined): FilterValue {
  const kind = field?.kind === 'list' ? field.element : field?.kind;
  if (VARIABLE.test(text.trim())) return { kind: 'variable', text: text.trim() };
  if (kind === 'number' && NUMBER.test(text.trim())) return { kind: 'number', text: text.trim() };
  if (kind === 'bool' && /^(true|false)$/i.test(text.trim())) return { kind: 'bool', text: text.trim().toLowerCase() };
  return { kind: 'text', text };
}

function valuesFor(operator: FilterOperator, values: readonly FilterValue[]): readonly FilterValue[] {
  if (operator === 'null' || operator === 'not null') return [];
  return operator === 'in' || operator === 'not in' ? values : values.slice(0, 1);
}

function placeholderOf(field: BuilderField | undefined, takesMany: boolean): string {
  if (field?.kind === 'bool') return 'true or false';
  if (field?.kind === 'time') return '2026-03-01T08:00:00Z';
  const one = field?.kind === 'number' ? '500' : 'value or $variable';
  return takesMany ? `${field?.kind === 'number' ? '404, 500' : 'a, b, $variable'}` : one;
}
