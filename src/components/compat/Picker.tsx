import React from 'react';
import { Combobox, Select } from '@grafana/ui';

export interface PickerOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly description?: string;
}

interface Props<T extends string> {
  /** The label's `htmlFor`. */
  readonly id: string;
  readonly options: ReadonlyArray<PickerOption<T>>;
  readonly value: T | undefined;
  readonly onChange: (value: T) => void;
  readonly placeholder?: string;
  /** In characters of eight pixels. */
  readonly width?: number;
  readonly isLoading?: boolean;
  readonly isInvalid?: boolean;
  /** Whether texts that are not among the options, variables among them, may be typed. */
  readonly takesOwnText?: boolean;
  readonly 'aria-label'?: string;
}

/** One of several: the host's newer control where it has it, its older one elsewhere. */
export function Picker<T extends string>(props: Props<T>) {
  const { id, options, value, onChange, placeholder, width = 40, isLoading, isInvalid, takesOwnText } = props;
  const own = value !== undefined && !options.some((each) => each.value === value) ? [{ value, label: value }] : [];
  const all = [...options, ...own];
  const change = (option: { readonly value?: T } | null) => {
    if (option?.value === undefined) return;
    // Who types the label of an option and presses Enter means that option.
    const labelled = all.find(({ label }) => label.toLowerCase() === option.value!.toLowerCase());
    onChange(labelled?.value ?? option.value);
  };
  if (typeof Combobox === 'undefined')
    return (
      <Select
        inputId={id}
        aria-label={props['aria-label']}
        options={all}
        value={all.find((each) => each.value === value) ?? null}
        onChange={change}
        placeholder={placeholder}
        width={width}
        isLoading={isLoading}
        invalid={isInvalid}
        allowCustomValue={takesOwnText}
      />
    );
  return (
    <Combobox
      id={id}
      aria-label={props['aria-label']}
      options={all}
      value={value ?? null}
      onChange={change}
      placeholder={placeholder}
      width={width}
      loading={isLoading}
      invalid={isInvalid}
      createCustomValue={takesOwnText}
    />
  );
}
