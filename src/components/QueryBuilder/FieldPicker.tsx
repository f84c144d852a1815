import React from 'react';
import { labelOf, type BuilderField } from '../../builder/fields';
import type { FieldPath } from '../../builder/model';
import { Picker } from '../compat/Picker';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly fields: readonly BuilderField[];
  readonly value: FieldPath | undefined;
  readonly placeholder?: string;
  readonly onChange: (field: BuilderField) => void;
}

/** Picker of a table's field by dotted name, with the type below. */
export function FieldPicker({ id, label, fields, value, placeholder = 'Choose a field', onChange }: Props) {
  return (
    <Picker
      id={id}
      aria-label={label}
      width={30}
      placeholder={placeholder}
      options={fields.map((field) => ({ value: field.label, label: field.label, description: field.type }))}
      value={value && labelOf(value)}
      onChange={(picked) => {
        const found = fields.find((field) => field.label === picked);
        if (found) onChange(found);
      }}
    />
  );
}
