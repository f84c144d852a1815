/** Chooses the time range of a run. */
import { type ReactNode, useId } from 'react';
import { keysOf } from '#contract/records';
import { parseTime, type Span, SPANS, type TimeParameters } from './time-range';

interface TimeRangeControlProps {
  readonly range: TimeParameters;
  readonly span: Span | null;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (span: Span | null, values: Readonly<Record<string, string>>) => void;
}

export function TimeRangeControl({ range, span, values, onChange }: TimeRangeControlProps): ReactNode {
  const id = useId();
  const cleared = { ...values, [range.start]: '', ...(range.end !== null && { [range.end]: '' }) };
  const isAll = span === null && !values[range.start] && !(range.end !== null && values[range.end]);
  const choose = (next: Span | null): void => onChange(next, cleared);
  const set = (name: string, local: string): void => onChange(null, { ...values, [name]: toIso(local) });
  return (
    <fieldset className="time-range">
      <legend>Time range</legend>
      <div className="choices" role="group" aria-label="Time up to now">
        {keysOf(SPANS).map((key) => (
          <button key={key} type="button" aria-pressed={span === key} onClick={() => choose(key)}>
            Last {SPANS[key].label}
          </button>
        ))}
        <button type="button" aria-pressed={isAll} onClick={() => choose(null)}>
          All time
        </button>
      </div>
      <div className="bounds">
        <label htmlFor={`${id}-from`}>From</label>
        <TimeField id={`${id}-from`} value={values[range.start]} onChange={(text) => set(range.start, text)} />
        {range.end !== null && (
          <>
            <label htmlFor={`${id}-to`}>to</label>
            <TimeField id={`${id}-to`} value={values[range.end]} onChange={(text) => set(range.end!, text)} />
          </>
        )}
        <span className="soft">your zone</span>
      </div>
    </fieldset>
  );
}

interface TimeFieldProps {
  readonly id: string;
  readonly value: string | undefined;
  readonly onChange: (local: string) => void;
}

function TimeField({ id, value, onChange }: TimeFieldProps): ReactNode {
  return (
    <input
      id={id}
      type="datetime-local"
      step={1}
      value={toLocal(value ?? '')}
      title={value === '' ? undefined : value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Whole seconds in the zone of the reader; the empty text for none. */
function toLocal(iso: string): string {
  const millis = parseTime(iso);
  if (Number.isNaN(millis)) return '';
  return new Date(millis - new Date(millis).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function toIso(local: string): string {
  const millis = Date.parse(local);
  return Number.isNaN(millis) ? '' : new Date(millis).toISOString();
}
