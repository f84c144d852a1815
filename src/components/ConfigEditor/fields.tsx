/** Fields of the settings page: label, description and control. */
import React from 'react';
import { Field, Input, Switch } from '@grafana/ui';

interface Common {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly readOnly: boolean | undefined;
}

interface ToggleProps extends Common {
  readonly value: boolean | undefined;
  readonly onChange: (value: boolean) => void;
}

export function ToggleField({ id, label, description, value = false, readOnly, onChange }: ToggleProps) {
  return (
    <Field label={label} description={description}>
      <Switch
        id={id}
        value={value}
        disabled={readOnly}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </Field>
  );
}

interface TextProps extends Common {
  readonly value: string | undefined;
  /** Undefined for an empty field. */
  readonly onChange: (value: string | undefined) => void;
}

export function TextField({ id, label, description, value = '', readOnly, onChange }: TextProps) {
  return (
    <Field label={label} description={description}>
      <Input
        id={id}
        value={value}
        disabled={readOnly}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
    </Field>
  );
}

interface NumberProps extends Common {
  readonly value: number | undefined;
  readonly placeholder: string;
  readonly suffix?: string;
  readonly max?: number;
  readonly onChange: (value: number | undefined) => void;
}

/** Field for a positive integer. */
export function NumberField({
  id,
  label,
  description,
  value,
  placeholder,
  suffix,
  max,
  readOnly,
  onChange,
}: NumberProps) {
  return (
    <Field label={label} description={description}>
      <Input
        id={id}
        type="number"
        min={1}
        max={max}
        width={20}
        suffix={suffix}
        placeholder={placeholder}
        value={value ?? ''}
        disabled={readOnly}
        onChange={({ currentTarget }) => onChange(wholeNumber(currentTarget.value))}
      />
    </Field>
  );
}

/** A configured secret that cannot be changed; Grafana's own field would still offer to reset it. */
export function FixedSecret({ id }: { readonly id: string }) {
  return <Input id={id} value="configured" disabled />;
}

function wholeNumber(text: string): number | undefined {
  const number = Math.floor(Number(text));
  return text.trim() === '' || !Number.isFinite(number) || number < 1 ? undefined : number;
}
