/** The parameters of a saved query as fields. */
import { type ReactNode, useId, useState } from 'react';
import { runQuery } from '../../../api/run-query';
import { serviceClock } from '../../../api/service-clock';
import { useSession } from '../../../app/session';
import { useLoaded } from '../../../app/use-loaded';
import { withValue } from '../../../parts/with-value';
import { plainText } from '../../../results/values/format-value';
import type { Parameter, ValueList } from '#contract/queries/saved-query';
import { isTime } from './time-range';

interface ParametersFormProps {
  /** Null: unknown, since the token may not read the saved query. */
  readonly declared: readonly Parameter[] | null;
  /** Names that the token fills in by itself. */
  readonly fixed: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

export function ParametersForm({ declared, fixed, values, onChange }: ParametersFormProps): ReactNode {
  const set = (name: string, value: string): void => onChange({ ...values, [name]: value });
  if (declared === null) return <UnknownParameters values={values} onChange={onChange} />;
  if (declared.length === 0) return null;
  return (
    <fieldset className="parameters">
      <legend>Parameters</legend>
      {declared.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          isFixed={fixed.includes(parameter.name)}
          value={values[parameter.name] ?? ''}
          onChange={(value) => set(parameter.name, value)}
        />
      ))}
    </fieldset>
  );
}

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly isFixed: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ParameterField({ parameter, isFixed, value, onChange }: ParameterFieldProps): ReactNode {
  const { name, required, description, enum: choices, default: preset } = parameter;
  const id = useId();
  const help = `${id}-help`;
  const common = { id, value, 'aria-describedby': help, disabled: isFixed };
  const note = isFixed ? 'filled in by the token' : (preset ?? '') !== '' ? `default: ${preset}` : '';
  return (
    <div className="field">
      <label htmlFor={id}>
        {name} {required ? <span className="soft">required</span> : ''}
      </label>
      {choices !== undefined || parameter.type === 'boolean' ? (
        <select {...common} required={required && !isFixed} onChange={(event) => onChange(event.target.value)}>
          <option value="">{required ? 'choose one' : ''}</option>
          {withValue(choices ?? ['true', 'false'], value).map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          required={required && !isFixed}
          inputMode={parameter.type === 'integer' ? 'numeric' : parameter.type === 'number' ? 'decimal' : 'text'}
          placeholder={isTime(parameter) ? '2026-03-01T08:00:00Z' : note}
          spellCheck={false}
          list={parameter.values === undefined ? undefined : `${id}-values`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {parameter.values !== undefined && !isFixed && <KnownValues id={`${id}-values`} list={parameter.values} />}
      {isTime(parameter) && !isFixed && <TimeShortcuts onChoose={onChange} />}
      <p id={help} className="soft">
        {description} {note}
      </p>
    </div>
  );
}

/**
 * Values to choose from, by the call that the saved query names; others stay allowed. Without the right to make it:
 * none.
 */
function KnownValues({ id, list }: { readonly id: string; readonly list: ValueList }): ReactNode {
  const { api, may } = useSession();
  const { query, parameters, sql } = list;
  const isAllowed = may('query') && (sql === undefined || may('adhoc'));
  const { value } = useLoaded(JSON.stringify(list), async (signal) => {
    if (!isAllowed) return [];
    const adhoc = sql === undefined ? null : ({ language: 'sql', text: sql } as const);
    const { columns, rows } = await runQuery(api, { query, parameters, adhoc }, signal);
    const [first] = columns;
    return first === undefined ? [] : rows.map((row) => plainText(row[first.name] ?? '')).filter((text) => text !== '');
  });
  return (
    <datalist id={id}>
      {value?.map((text) => (
        <option key={text} value={text} />
      ))}
    </datalist>
  );
}

const SPANS = [
  { label: '15 min ago', minutes: 15 },
  { label: '1 h ago', minutes: 60 },
  { label: '24 h ago', minutes: 1440 },
  { label: '7 days ago', minutes: 10_080 },
] as const;

function TimeShortcuts({ onChoose }: { readonly onChoose: (text: string) => void }): ReactNode {
  return (
    <span className="shortcuts">
      {SPANS.map(({ label, minutes }) => (
        <button
          key={label}
          type="button"
          onClick={() => onChoose(new Date(serviceClock.now() - minutes * 60_000).toISOString())}
        >
          {label}
        </button>
      ))}
    </span>
  );
}

/** Names and values as text, for a saved query that cannot be described. */
function UnknownParameters({ values, onChange }: Pick<ParametersFormProps, 'values' | 'onChange'>): ReactNode {
  const id = useId();
  const [text, setText] = useState(() => new URLSearchParams({ ...values }).toString());
  return (
    <div className="field">
      <label htmlFor={id}>Parameters, as in a URL</label>
      <input
        id={id}
        value={text}
        placeholder="project=abcd&interval=daily"
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          onChange(Object.fromEntries(new URLSearchParams(event.target.value)));
        }}
      />
    </div>
  );
}
