import React, { useRef } from 'react';
import { css } from '@emotion/css';
import { Combobox, Select } from '@grafana/ui';

export interface PickerOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly description?: string;
}

interface Props<T extends string> {
  /** Id for the label's `htmlFor`. */
  readonly id: string;
  readonly options: ReadonlyArray<PickerOption<T>>;
  readonly value: T | undefined;
  readonly onChange: (value: T) => void;
  readonly placeholder?: string;
  /** Width in units of eight pixels. */
  readonly width?: number;
  readonly isLoading?: boolean;
  readonly isInvalid?: boolean;
  /** Whether other texts than the options, such as variables, are allowed. */
  readonly takesOwnText?: boolean;
  /** Called on blur with a text that is not an option, unless `takesOwnText` is set. */
  readonly onUnknown?: (text: string) => void;
  /** Accessible name if there is no label; not all of Grafana's controls support one. */
  readonly 'aria-label'?: string;
}

/**
 * Picker that uses Grafana's newer control if available, otherwise the older one. Both discard typed text on blur; this
 * component accepts it if it names an option or custom text is allowed, and reports it otherwise.
 */
export function Picker<T extends string>(props: Props<T>) {
  const typed = useRef<string | undefined>(undefined);
  const isPressed = useRef(false);
  const { id, options, value, onChange, takesOwnText, onUnknown } = props;
  const own = value !== undefined && !options.some((each) => each.value === value) ? [{ value, label: value }] : [];
  const all = [...options, ...own];
  // Typing the label of an option selects it.
  const named = (text: string) => all.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  const change = (option: { readonly value?: T } | null) => {
    typed.current = undefined;
    if (option?.value !== undefined) onChange(named(option.value)?.value ?? option.value);
  };
  const leave = () => {
    const text = typed.current?.trim();
    typed.current = undefined;
    if (!text) return;
    const picked = named(text)?.value ?? (takesOwnText ? (text as T) : undefined);
    if (picked === undefined) onUnknown?.(text);
    else if (picked !== value) onChange(picked);
  };
  return (
    <div
      onInput={({ target }) => (typed.current = (target as HTMLInputElement).value)}
      // The list is rendered elsewhere in the page, but its events bubble here: pressing the mouse on an option is not
      // a blur.
      onMouseDown={() => (isPressed.current = true)}
      onMouseUp={() => (isPressed.current = false)}
      onKeyDownCapture={({ key }) => {
        if (key === 'Escape') typed.current = undefined;
      }}
      onBlur={() => !isPressed.current && leave()}
    >
      {props['aria-label'] && (
        <label htmlFor={id} className={HIDDEN}>
          {props['aria-label']}
        </label>
      )}
      <Control {...props} options={all} onChange={change} />
    </div>
  );
}

interface ControlProps<T extends string> extends Omit<Props<T>, 'options' | 'onChange'> {
  readonly options: Array<PickerOption<T>>;
  readonly onChange: (option: { readonly value?: T } | null) => void;
}

/** Grafana's control for choices. */
function Control<T extends string>(props: ControlProps<T>) {
  const { id, options, value, onChange, placeholder, width = 40, isLoading, isInvalid, takesOwnText } = props;
  const common = { options, onChange, placeholder, width };
  return typeof Combobox === 'undefined' ? (
    <Select
      {...common}
      inputId={id}
      value={options.find((each) => each.value === value) ?? null}
      isLoading={isLoading}
      invalid={isInvalid}
      allowCustomValue={takesOwnText}
    />
  ) : (
    <Combobox
      {...common}
      id={id}
      value={value ?? null}
      loading={isLoading}
      invalid={isInvalid}
      createCustomValue={takesOwnText}
    />
  );
}

const HIDDEN = css({
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
});
