/** Two changes of one saved query: what each side changed, and what a person takes where both did. */
import { type ReactNode, useMemo, useState } from 'react';
import type { MergePart } from '#contract/lines/merge-lines';
import type { RevisionText } from '../../../api/shapes';
import { readText } from '../../../definition/definition-text';
import {
  type ChangedField,
  changedFields,
  type Choices,
  joinParts,
  mergedText,
  queryParts,
  type Side,
} from '../../../definition/merge-definitions';
import { TextDiff } from '../../../diff/text-diff';
import { formatAuthor } from '../../../parts/format-change';
import { ValueText } from '../../../results/values/value-text';

interface ConflictProps {
  readonly base: string;
  readonly mine: string;
  readonly theirs: RevisionText & { readonly yaml: string };
  /** @param text merged, for the revision of theirs */
  readonly onMerged: (text: string) => void;
  readonly onCancel: () => void;
}

type PartChoices = Readonly<Record<number, Side | 'both'>>;

const OUTCOMES: Readonly<Record<Exclude<ChangedField['outcome'], 'conflict'>, string>> = {
  mine: 'only you changed it',
  theirs: 'only they changed it',
  same: 'both made the same change',
};

export function Conflict({ base, mine, theirs, onMerged, onCancel }: ConflictProps): ReactNode {
  const { fields, parts } = useMemo(() => compare(base, mine, theirs.yaml), [base, mine, theirs.yaml]);
  const [choices, setChoices] = useState<Choices>({});
  const [partChoices, setPartChoices] = useState<PartChoices>({});

  const query = parts === null ? null : joinParts(parts, partChoices);
  const open = fields.filter(({ name, outcome }) =>
    outcome !== 'conflict' ? false : name === 'query' && parts !== null ? query === null : choices[name] === undefined
  );
  const finish = (): void => onMerged(mergedText({ base, mine, theirs: theirs.yaml }, fields, choices, query));

  return (
    <section className="conflict" aria-label="Conflict">
      <div className="notice warn" role="alert">
        <p>
          <strong>{formatAuthor(theirs.by)}</strong> saved revision {theirs.revision} while you were editing
          {theirs.message !== null && (
            <>
              : “<ValueText text={theirs.message} />”
            </>
          )}
          . Nothing of yours is lost. Take what both changed from one side, then check and save.
        </p>
      </div>
      {fields.length === 0 && <p>Both texts say the same.</p>}
      {fields.map((field) =>
        field.name === 'query' && parts !== null ? (
          <QueryMerge
            key="query"
            field={field}
            parts={parts}
            choices={partChoices}
            onChoose={(at, side) => setPartChoices((given) => ({ ...given, [at]: side }))}
          />
        ) : (
          <FieldMerge
            key={field.name}
            field={field}
            choice={choices[field.name]}
            onChoose={(side) => setChoices((given) => ({ ...given, [field.name]: side }))}
          />
        )
      )}
      <p className="actions">
        <button type="button" className="main" disabled={open.length > 0} onClick={finish}>
          Use this merge
        </button>
        <button type="button" onClick={onCancel}>
          Back to my text
        </button>
        <span role="status" className="soft">
          {open.length === 0 ? 'Everything is decided.' : `To decide: ${open.map(({ name }) => name).join(', ')}`}
        </span>
      </p>
    </section>
  );
}

function compare(base: string, mine: string, theirs: string) {
  const fieldsOf = (text: string) => ({ ...readText(text).fields });
  const fields = changedFields(fieldsOf(base), fieldsOf(mine), fieldsOf(theirs));
  const query = fields.find(({ name, outcome }) => name === 'query' && outcome === 'conflict');
  return { fields, parts: query === undefined ? null : queryParts(query) };
}

interface FieldMergeProps {
  readonly field: ChangedField;
  readonly choice: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

function FieldMerge({ field, choice, onChoose }: FieldMergeProps): ReactNode {
  const { name, base, mine, theirs, outcome } = field;
  const isOpen = outcome === 'conflict';
  return (
    <fieldset className={isOpen ? 'merge open' : 'merge'}>
      <legend>
        <code>{name}</code> <span className="soft">{isOpen ? 'both changed it' : OUTCOMES[outcome]}</span>
      </legend>
      <div className="sides">
        <Value title="Before" value={base} />
        <Value title="Theirs" value={theirs} isTaken={outcome === 'theirs' || choice === 'theirs'}>
          {isOpen && <Choose name={name} side="theirs" choice={choice} onChoose={onChoose} />}
        </Value>
        <Value title="Mine" value={mine} isTaken={outcome === 'mine' || choice === 'mine'}>
          {isOpen && <Choose name={name} side="mine" choice={choice} onChoose={onChoose} />}
        </Value>
      </div>
    </fieldset>
  );
}

interface ValueProps {
  readonly title: string;
  readonly value: unknown;
  readonly isTaken?: boolean;
  readonly children?: ReactNode;
}

function Value({ title, value, isTaken = false, children }: ValueProps): ReactNode {
  return (
    <div className={isTaken ? 'side taken' : 'side'}>
      <div className="soft">{title}</div>
      <pre tabIndex={0}>
        <ValueText
          text={value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value, null, 1)}
        />
      </pre>
      {children}
    </div>
  );
}

interface ChooseProps<T extends string> {
  readonly name: string;
  readonly side: T;
  readonly choice: string | undefined;
  readonly onChoose: (side: T) => void;
}

const LABELS = { mine: 'Take mine', theirs: 'Take theirs', both: 'Take both: theirs, then mine' } as const;

function Choose<T extends Side | 'both'>({ name, side, choice, onChoose }: ChooseProps<T>): ReactNode {
  return (
    <label>
      <input type="radio" name={`merge-${name}`} checked={choice === side} onChange={() => onChoose(side)} />{' '}
      {LABELS[side]}
    </label>
  );
}

interface QueryMergeProps {
  readonly field: ChangedField;
  readonly parts: readonly MergePart[];
  readonly choices: PartChoices;
  readonly onChoose: (at: number, side: Side | 'both') => void;
}

function QueryMerge({ field, parts, choices, onChoose }: QueryMergeProps): ReactNode {
  const isOpen = joinParts(parts, choices) === null;
  return (
    <fieldset className={isOpen ? 'merge open' : 'merge'}>
      <legend>
        <code>query</code> <span className="soft">both changed it; lines that only one side changed are merged</span>
      </legend>
      {parts.map((part, at) =>
        part.kind === 'agreed' ? (
          <pre key={at} className="agreed" tabIndex={0}>
            <ValueText text={shortened(part.text, at === 0, at === parts.length - 1)} />
          </pre>
        ) : (
          <div key={at} className="clash">
            <div className="sides">
              <Value title="Before" value={part.base === '' ? undefined : part.base} />
              <Value
                title="Theirs"
                value={part.theirs === '' ? undefined : part.theirs}
                isTaken={choices[at] === 'theirs'}
              />
              <Value title="Mine" value={part.ours === '' ? undefined : part.ours} isTaken={choices[at] === 'mine'} />
            </div>
            <div className="tools">
              {(['theirs', 'mine', 'both'] as const).map((side) => (
                <Choose
                  key={side}
                  name={`query-${at}`}
                  side={side}
                  choice={choices[at]}
                  onChoose={(chosen) => onChoose(at, chosen)}
                />
              ))}
            </div>
          </div>
        )
      )}
      <details>
        <summary>What each side changed in the whole query</summary>
        <TextDiff before={String(field.base)} after={String(field.theirs)} label="Their change" />
        <TextDiff before={String(field.base)} after={String(field.mine)} label="My change" />
      </details>
    </fieldset>
  );
}

/** Some lines beside a conflict are enough to know where it is. */
function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length <= 8) return lines.join('\n');
  const gap = `… ${lines.length - 6} lines …`;
  if (isFirst) return [gap, ...lines.slice(-6)].join('\n');
  if (isLast) return [...lines.slice(0, 6), gap].join('\n');
  return [...lines.slice(0, 3), gap, ...lines.slice(-3)].join('\n');
}
