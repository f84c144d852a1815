/** One field of the form, with its explanation and what is wrong with its value. */
import { type ReactElement, type ReactNode, cloneElement, useId } from 'react';

interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly problem?: string | undefined;
  readonly isWide?: boolean;
  /** The control: an input, a select or a textarea. */
  readonly children: ReactElement;
}

export function Field({ label, help, problem, isWide = false, children }: FieldProps): ReactNode {
  const id = useId();
  const about = [help !== undefined && `${id}-help`, problem !== undefined && `${id}-problem`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={isWide ? 'field wide' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        ...(about !== '' && { 'aria-describedby': about }),
        ...(problem !== undefined && { 'aria-invalid': true }),
      })}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="wrong">
          {problem}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className="soft">
          {help}
        </p>
      )}
    </div>
  );
}

interface NumberProps {
  readonly value: unknown;
  readonly placeholder: string;
  /** Undefined: the field is left out. A text that is no number stays a text, which the service refuses. */
  readonly onChange: (value: number | string | undefined) => void;
}

export function NumberInput({ value, placeholder, onChange, ...rest }: NumberProps): ReactNode {
  const shown = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return (
    <input
      {...rest}
      inputMode="numeric"
      value={shown}
      placeholder={placeholder}
      onChange={({ target }) => {
        const text = target.value.trim();
        const isNumber = /^-?\d{1,15}$/.test(text);
        onChange(text === '' ? undefined : isNumber ? Number(text) : text);
      }}
    />
  );
}
