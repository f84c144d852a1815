/** The rights and limits of a token as a form, with what they mean beside the choices. */
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Scope } from '#contract/tokens/token';
import type { Problem } from '../../api/problem';
import { useSession } from '../../app/session';
import { Failure } from '../../parts/failure';
import { Field } from '../edit/form/field';
import { formatRights, formatScope, SCOPES } from './scopes';
import type { TokenFields } from './token-fields';

interface TokenFormProps {
  readonly start: TokenFields;
  readonly submit: { readonly label: string; readonly isRunning: boolean };
  readonly problem: Problem | null;
  readonly onSubmit: (fields: TokenFields) => void;
}

const PRESETS: ReadonlyArray<{ readonly label: string; readonly scopes: readonly Scope[] }> = [
  { label: 'A dashboard', scopes: ['query', 'adhoc', 'endpoints:read'] },
  { label: 'A program that calls one saved query', scopes: ['query'] },
  { label: 'A log shipper', scopes: ['ingest'] },
  { label: 'An editor', scopes: ['query', 'adhoc', 'endpoints:read', 'endpoints:write'] },
  { label: 'An operator', scopes: SCOPES },
];

export function TokenForm({ start, submit, problem, onSubmit }: TokenFormProps): ReactNode {
  const [fields, setFields] = useState(start);
  const set = (part: Partial<TokenFields>): void => setFields((given) => ({ ...given, ...part }));
  const text = (key: keyof TokenFields & ('name' | 'tenant' | 'maxRows' | 'rate' | 'expires' | 'note')) => ({
    value: fields[key],
    spellCheck: false,
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => set({ [key]: target.value }),
  });
  const reasonOf = (field: string): string | undefined =>
    reasons(problem).find(({ path }) => path[0] === field)?.reason;

  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit(fields);
      }}
    >
      <div className="form-grid">
        <Field label="Name" help="For lists and the audit trail." problem={reasonOf('name')}>
          <input required maxLength={100} {...text('name')} />
        </Field>
        <Field
          label="Valid until"
          help="A day (2027-01-31, to its end), a time or a span (90d, 12h); empty: forever."
          problem={reasonOf('expires_at')}
        >
          <input {...text('expires')} />
        </Field>
      </div>
      <ScopeFields start={start} fields={fields} problem={reasonOf('scopes')} set={set} />
      <Confinement fields={fields} reasonOf={reasonOf} set={set} text={text} />
      <div className="form-grid">
        <Field label="Note" help="For the audit trail." isWide>
          <input maxLength={500} {...text('note')} />
        </Field>
      </div>
      {problem && <Failure problem={problem} />}
      <p className="actions">
        <button type="submit" className="main" disabled={submit.isRunning || fields.scopes.length === 0}>
          {submit.label}
        </button>
      </p>
    </form>
  );
}

interface ScopeFieldsProps {
  readonly start: TokenFields;
  readonly fields: TokenFields;
  readonly problem: string | undefined;
  readonly set: (part: Partial<TokenFields>) => void;
}

function ScopeFields({ start, fields, problem, set }: ScopeFieldsProps): ReactNode {
  const { own } = useSession();
  const offered = SCOPES.filter((scope) => own.scopes.includes(scope) || start.scopes.includes(scope));
  return (
    <fieldset className="scopes">
      <legend>What it may do</legend>
      <p className="shortcuts">
        {PRESETS.filter(({ scopes }) => scopes.every((scope) => offered.includes(scope))).map(({ label, scopes }) => (
          <button key={label} type="button" onClick={() => set({ scopes })}>
            {label}
          </button>
        ))}
      </p>
      {offered.map((scope) => (
        <label key={scope}>
          <input
            type="checkbox"
            checked={fields.scopes.includes(scope)}
            onChange={({ target }) =>
              set({
                scopes: SCOPES.filter((each) => (each === scope ? target.checked : fields.scopes.includes(each))),
              })
            }
          />
          <code>{scope}</code>
          <span>{formatScope(scope)}</span>
        </label>
      ))}
      <p role="status">{formatRights(fields.scopes)}</p>
      {problem !== undefined && <p className="wrong">{problem}</p>}
    </fieldset>
  );
}

interface ConfinementProps {
  readonly fields: TokenFields;
  readonly reasonOf: (field: string) => string | undefined;
  readonly set: (part: Partial<TokenFields>) => void;
  readonly text: (key: 'tenant' | 'maxRows' | 'rate') => object;
}

function Confinement({ fields, reasonOf, set, text }: ConfinementProps): ReactNode {
  return (
    <fieldset>
      <legend>Confined to</legend>
      <div className="form-grid">
        <QueryFields fields={fields} problem={reasonOf('endpoints')} set={set} />
        <Field
          label="Tenant"
          help="Only its events exist for the token; empty: all events."
          problem={reasonOf('tenant')}
        >
          <input {...text('tenant')} />
        </Field>
        <Field
          label="Fixed parameters"
          help="name=value, one a line. Calls cannot change them."
          problem={reasonOf('fixed_parameters')}
        >
          <textarea
            rows={3}
            spellCheck={false}
            value={fields.fixed}
            onChange={({ target }) => set({ fixed: target.value })}
          />
        </Field>
        <Field
          label="Rows at most"
          help="Below the cap of each saved query; empty: none."
          problem={reasonOf('max_rows')}
        >
          <input inputMode="numeric" {...text('maxRows')} />
        </Field>
        <Field label="Requests a minute" help="Empty: the rate of the service." problem={reasonOf('rate')}>
          <input inputMode="numeric" {...text('rate')} />
        </Field>
      </div>
    </fieldset>
  );
}

/** Which saved queries the token sees, and how it sees their results. */
function QueryFields({ fields, problem, set }: Omit<ScopeFieldsProps, 'start'>): ReactNode {
  return (
    <>
      <div className="choices">
        <label>
          <input type="radio" name="endpoints" checked={fields.isForAll} onChange={() => set({ isForAll: true })} />
          All saved queries
        </label>
        <label>
          <input type="radio" name="endpoints" checked={!fields.isForAll} onChange={() => set({ isForAll: false })} />
          Only some saved queries
        </label>
        <label>
          <input
            type="checkbox"
            checked={fields.isRedacted}
            onChange={({ target }) => set({ isRedacted: target.checked })}
          />
          Redact every result
        </label>
      </div>
      {!fields.isForAll && (
        <Field
          label="Saved queries"
          help="Names or ids, one a line. All others do not exist for the token."
          problem={problem}
        >
          <textarea
            rows={3}
            spellCheck={false}
            value={fields.endpoints}
            onChange={({ target }) => set({ endpoints: target.value })}
          />
        </Field>
      )}
    </>
  );
}

interface Reason {
  readonly path: readonly string[];
  readonly reason: string;
}

function reasons(problem: Problem | null): readonly Reason[] {
  const problems = problem?.details['problems'];
  return Array.isArray(problems) ? (problems as readonly Reason[]) : [];
}
